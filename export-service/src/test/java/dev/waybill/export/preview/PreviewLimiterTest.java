package dev.waybill.export.preview;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;

class PreviewLimiterTest {

    private final PreviewLimiter limiter = new PreviewLimiter(new PreviewConfig() {

        @Override
        public Duration timeout() {
            return Duration.ofSeconds(5);
        }

        @Override
        public int maxConcurrent() {
            return 2;
        }

        @Override
        public int maxCountedRows() {
            return 10;
        }

        @Override
        public int maxFilteredRows() {
            return 10;
        }
    });

    @Test
    void workspaceHasOneConcurrentPreview() {
        // Given
        UUID workspace = UUID.randomUUID();
        UniAssertSubscriber<String> first = run(workspace, Uni.createFrom().nothing());

        // When
        UniAssertSubscriber<String> second = run(workspace, Uni.createFrom().item("result"));

        // Then
        second.assertFailedWith(ProblemException.class, "Another preview is in progress");
        assertThat(((ProblemException) second.getFailure()).type().status()).isEqualTo(429);
        first.cancel();
        run(workspace, Uni.createFrom().item("result")).assertItem("result");
    }

    @Test
    void concurrentPreviewsAreLimitedPerReplica() {
        // Given
        run(UUID.randomUUID(), Uni.createFrom().nothing());
        run(UUID.randomUUID(), Uni.createFrom().nothing());

        // When
        UniAssertSubscriber<String> third = run(UUID.randomUUID(), Uni.createFrom().item("result"));

        // Then
        third.assertFailedWith(ProblemException.class);
    }

    @Test
    void endOfAPreviewAllowsTheNext() {
        // Given
        UUID workspace = UUID.randomUUID();
        run(workspace, Uni.createFrom().item("result")).assertItem("result");
        run(workspace, Uni.createFrom().failure(new IllegalStateException("failed")))
                .assertFailedWith(IllegalStateException.class);

        // When
        UniAssertSubscriber<String> next = run(workspace, Uni.createFrom().item("result"));

        // Then
        next.assertItem("result");
    }

    private UniAssertSubscriber<String> run(UUID workspace, Uni<String> work) {
        return limiter.run(workspace, () -> work).subscribe().withSubscriber(UniAssertSubscriber.create());
    }
}
