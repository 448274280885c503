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
    void aWorkspaceHasOnePreviewAtATime() {
        // Given
        UUID workspace = UUID.randomUUID();
        UniAssertSubscriber<String> first = enter(workspace, Uni.createFrom().nothing());

        // When
        UniAssertSubscriber<String> second = enter(workspace, Uni.createFrom().item("seen"));

        // Then
        second.assertFailedWith(ProblemException.class, "Another preview is under way");
        assertThat(((ProblemException) second.getFailure()).type().status()).isEqualTo(429);
        first.cancel();
        enter(workspace, Uni.createFrom().item("seen")).assertItem("seen");
    }

    @Test
    void thereAreFewInAll() {
        // Given
        enter(UUID.randomUUID(), Uni.createFrom().nothing());
        enter(UUID.randomUUID(), Uni.createFrom().nothing());

        // When
        UniAssertSubscriber<String> third = enter(UUID.randomUUID(), Uni.createFrom().item("seen"));

        // Then
        third.assertFailedWith(ProblemException.class);
    }

    @Test
    void whoeverFailsOrIsDoneLetsTheNextIn() {
        // Given
        UUID workspace = UUID.randomUUID();
        enter(workspace, Uni.createFrom().item("seen")).assertItem("seen");
        enter(workspace, Uni.createFrom().failure(new IllegalStateException("no")))
                .assertFailedWith(IllegalStateException.class);

        // When
        UniAssertSubscriber<String> next = enter(workspace, Uni.createFrom().item("seen"));

        // Then
        next.assertItem("seen");
    }

    private UniAssertSubscriber<String> enter(UUID workspace, Uni<String> work) {
        return limiter.run(workspace, () -> work).subscribe().withSubscriber(UniAssertSubscriber.create());
    }
}
