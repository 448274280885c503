package dev.waybill.controlplane.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;

class BulkheadTest {

    private final Bulkhead bulkhead = new Bulkhead(1);

    @Test
    void excessWorkReturns429WithRetryAfter() {
        // Given
        bulkhead.execute(() -> Uni.createFrom().nothing()).subscribe().asCompletionStage();

        // When, Then
        assertThatThrownBy(() -> run("late")).isInstanceOf(ProblemException.class)
                .hasMessageContaining("retry this one later");
    }

    @Test
    void permitIsReleasedHoweverWorkEnds() {
        // When
        run("well");
        assertThatThrownBy(() -> bulkhead.execute(() -> Uni.createFrom().failure(new IllegalStateException("badly"))).await()
                .indefinitely()).hasMessage("badly");
        assertThatThrownBy(() -> bulkhead.execute(() -> {
            throw new IllegalStateException("immediate failure");
        }).await().indefinitely()).hasMessage("immediate failure");
        CompletableFuture<Object> cancelled = bulkhead.execute(() -> Uni.createFrom().nothing()).subscribe()
                .asCompletionStage();
        cancelled.cancel(true);

        // Then
        assertThat(run("next")).isEqualTo("next");
    }

    private String run(String name) {
        return bulkhead.execute(() -> Uni.createFrom().item(name)).await().indefinitely();
    }
}
