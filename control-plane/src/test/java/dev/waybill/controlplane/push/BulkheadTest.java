package dev.waybill.controlplane.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;

class BulkheadTest {

    private final Bulkhead room = new Bulkhead(1);

    @Test
    void whoFindsNoPlaceIsToldToComeBack() {
        // Given
        room.within(() -> Uni.createFrom().nothing()).subscribe().asCompletionStage();

        // When, Then
        assertThatThrownBy(() -> enter("late")).isInstanceOf(ProblemException.class)
                .hasMessageContaining("send this one again");
    }

    @Test
    void aPlaceIsFreeWhenTheWorkHasEndedInWhateverWay() {
        // When
        enter("well");
        assertThatThrownBy(() -> room.within(() -> Uni.createFrom().failure(new IllegalStateException("badly"))).await()
                .indefinitely()).hasMessage("badly");
        assertThatThrownBy(() -> room.within(() -> {
            throw new IllegalStateException("at once");
        }).await().indefinitely()).hasMessage("at once");
        CompletableFuture<Object> left = room.within(() -> Uni.createFrom().nothing()).subscribe().asCompletionStage();
        left.cancel(true);

        // Then
        assertThat(enter("next")).isEqualTo("next");
    }

    private String enter(String who) {
        return room.within(() -> Uni.createFrom().item(who)).await().indefinitely();
    }
}
