package dev.waybill.common.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Patience;
import io.smallrye.mutiny.Uni;

class WorkPollerTest {

    private final AtomicInteger polls = new AtomicInteger();

    @Test
    void pollingContinuesAfterAFailedPoll() {
        // Given
        WorkPoller poller = new WorkPoller(() -> {
            if (polls.incrementAndGet() == 1) {
                throw new IllegalStateException("first poll fails");
            }
            return Uni.createFrom().item(false);
        });
        poller.poll();
        Patience.await().until(() -> polls.get() == 1);

        // When, then: also while the first poll still ends
        Patience.await().until(() -> {
            poller.poll();
            return polls.get() > 1;
        });
    }

    @Test
    void requestsDuringAPollCauseOneMorePoll() {
        // Given
        CompletableFuture<Boolean> first = new CompletableFuture<>();
        WorkPoller poller = new WorkPoller(() -> polls.incrementAndGet() == 1 ? Uni.createFrom().completionStage(first)
                : Uni.createFrom().item(false));
        poller.poll();
        Patience.await().until(() -> polls.get() == 1);

        // When
        poller.poll();
        poller.poll();
        first.complete(false);

        // Then
        Patience.await().until(() -> polls.get() == 2);
    }

    @Test
    void pollsImmediatelyIfMoreWorkMayBeDue() {
        // When
        new WorkPoller(() -> Uni.createFrom().item(polls.incrementAndGet() < 5)).poll();

        // Then
        Patience.await().until(() -> polls.get() == 5);
    }

    @Test
    void pollsWithTheClassLoaderOfTheService() {
        // Given
        CompletableFuture<ClassLoader> classLoader = new CompletableFuture<>();
        WorkPoller poller = new WorkPoller(() -> {
            classLoader.complete(Thread.currentThread().getContextClassLoader());
            return Uni.createFrom().item(false);
        });

        // When
        poller.poll();

        // Then
        assertThat(classLoader.join()).isSameAs(WorkPoller.class.getClassLoader());
    }

    @Test
    void stopReleasesWorkAndPreventsFurtherPolls() {
        // Given
        AtomicInteger released = new AtomicInteger();
        WorkPoller poller = new WorkPoller(() -> Uni.createFrom().item(polls.incrementAndGet() < 0));

        // When
        poller.stop(() -> Uni.createFrom().voidItem().invoke(released::incrementAndGet));
        poller.poll();

        // Then
        assertThat(released).hasValue(1);
        assertThat(poller.isStopping()).isTrue();
        assertThat(polls).hasValue(0);
    }
}
