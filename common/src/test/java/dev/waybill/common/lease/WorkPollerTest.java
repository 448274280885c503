package dev.waybill.common.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Patience;
import io.smallrye.mutiny.Uni;

/** When work is looked for. */
class WorkPollerTest {

    private final AtomicInteger looks = new AtomicInteger();

    @Test
    void aLookThatBreaksIsNotTheLast() {
        // Given
        WorkPoller timer = new WorkPoller(() -> {
            if (looks.incrementAndGet() == 1) {
                throw new IllegalStateException("too early");
            }
            return Uni.createFrom().item(false);
        });
        timer.poll();
        Patience.await().until(() -> looks.get() == 1);

        // When, then: also while the first one is still being put away
        Patience.await().until(() -> {
            timer.poll();
            return looks.get() > 1;
        });
    }

    @Test
    void whatIsAskedForWhileItLooksIsLookedForOnceMore() {
        // Given
        CompletableFuture<Boolean> first = new CompletableFuture<>();
        WorkPoller timer = new WorkPoller(() -> looks.incrementAndGet() == 1 ? Uni.createFrom().completionStage(first)
                : Uni.createFrom().item(false));
        timer.poll();
        Patience.await().until(() -> looks.get() == 1);

        // When
        timer.poll();
        timer.poll();
        first.complete(false);

        // Then
        Patience.await().until(() -> looks.get() == 2);
    }

    @Test
    void whereThereMayBeMoreItLooksAtOnce() {
        // When
        new WorkPoller(() -> Uni.createFrom().item(looks.incrementAndGet() < 5)).poll();

        // Then
        Patience.await().until(() -> looks.get() == 5);
    }

    @Test
    void whatIsLookedForKnowsTheClassesOfTheService() {
        // Given
        CompletableFuture<ClassLoader> seen = new CompletableFuture<>();
        WorkPoller timer = new WorkPoller(() -> {
            seen.complete(Thread.currentThread().getContextClassLoader());
            return Uni.createFrom().item(false);
        });

        // When
        timer.poll();

        // Then
        assertThat(seen.join()).isSameAs(WorkPoller.class.getClassLoader());
    }

    @Test
    void afterTheStopNothingIsLookedForAndWhatIsHeldWasGivenBack() {
        // Given
        AtomicInteger givenBack = new AtomicInteger();
        WorkPoller timer = new WorkPoller(() -> Uni.createFrom().item(looks.incrementAndGet() < 0));

        // When
        timer.stop(() -> Uni.createFrom().voidItem().invoke(givenBack::incrementAndGet));
        timer.poll();

        // Then
        assertThat(givenBack).hasValue(1);
        assertThat(timer.isStopping()).isTrue();
        assertThat(looks).hasValue(0);
    }
}
