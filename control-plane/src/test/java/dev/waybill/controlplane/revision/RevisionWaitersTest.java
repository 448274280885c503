package dev.waybill.controlplane.revision;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.common.api.deployment.RevisionPhases;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.common.api.deployment.SourceKind;
import io.smallrye.mutiny.Uni;

class RevisionWaitersTest {

    private static final UUID DEPLOYMENT = UUID.randomUUID();
    private static final Duration LONG = Duration.ofHours(1);

    private final RevisionWaiters waiters = new RevisionWaiters(1);
    private final AtomicReference<RevisionStatus> status = new AtomicReference<>(RevisionStatus.BUILDING);
    private final AtomicInteger reads = new AtomicInteger();

    @Test
    void excessWaiterGetsCurrentRevisionImmediately() {
        // Given
        CompletableFuture<Revision> waiting = waiters.tryUntilMatches(DEPLOYMENT, LONG, this::read, Revision::isSettled)
                .subscribeAsCompletionStage();

        // When
        Revision tooMany = waiters.tryUntilMatches(DEPLOYMENT, LONG, this::read, Revision::isSettled).await().indefinitely();

        // Then
        assertThat(tooMany.status()).isEqualTo(RevisionStatus.BUILDING);
        assertThat(waiting).isNotDone();
        change();
        assertThat(waiting.join().status()).isEqualTo(RevisionStatus.DEPLOYED);
        assertThat(waiters.isFull()).isFalse();
    }

    @Test
    void admittedFollowerWaitsWhenLimitIsReached() {
        // Given
        CompletableFuture<Revision> waiting = waiters.tryUntilMatches(DEPLOYMENT, LONG, this::read, Revision::isSettled)
                .subscribeAsCompletionStage();
        int before = reads.get();

        // When
        CompletableFuture<Revision> following = waiters.untilMatches(DEPLOYMENT, LONG, this::read, Revision::isSettled)
                .subscribeAsCompletionStage();

        // Then
        assertThat(following).isNotDone();
        assertThat(reads.get()).isEqualTo(before + 1);
        change();
        assertThat(waiting.join().status()).isEqualTo(RevisionStatus.DEPLOYED);
        assertThat(following.join().status()).isEqualTo(RevisionStatus.DEPLOYED);
    }

    private void change() {
        status.set(RevisionStatus.DEPLOYED);
        waiters.onChange(RevisionChanged.afterStep(UUID.randomUUID(), DEPLOYMENT, null, true));
    }

    private Uni<Revision> read() {
        reads.incrementAndGet();
        return Uni.createFrom().item(new Revision(UUID.randomUUID(), UUID.randomUUID(), DEPLOYMENT, 1, status.get(), null,
                SourceKind.REPOHOST, DeploymentSource.EMPTY, RevisionSource.EMPTY, null, Instant.EPOCH, Instant.EPOCH, 0,
                new RevisionPhases(Instant.EPOCH, null, null, null, null), null));
    }
}
