package dev.waybill.experiment.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import dev.waybill.common.database.Database;
import dev.waybill.common.event.Change;
import dev.waybill.common.event.ChangeRecorder;
import dev.waybill.common.event.ChangeType;
import dev.waybill.common.event.ChangeWriter;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.event.EventSubscription.Changes;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;

/** Replicas that share a database; their exchanges are started by the test. */
@QuarkusTest
class EventReplicasTest {

    private final UUID workspace = Accounts.account().create().workspaceId();
    private final UUID session = UUID.randomUUID();

    @Inject
    Database database;

    @Inject
    ChangeRepository repository;

    @Inject
    Clock clock;

    @Test
    void everyReplicaAnnouncesTheChangesOfAllReplicas() {
        // Given
        Replica one = new Replica();
        Replica two = new Replica();
        EventSubscription ofOne = one.subscribe(null);
        EventSubscription ofTwo = two.subscribe(null);

        // When
        one.record(ChangeType.RUNS);
        two.record(ChangeType.FEEDBACK);
        one.exchange();
        two.exchange();
        one.exchange();

        // Then
        assertThat(next(ofOne).changes()).containsExactlyInAnyOrder(change(ChangeType.RUNS), change(ChangeType.FEEDBACK));
        assertThat(next(ofTwo).changes()).containsExactlyInAnyOrder(change(ChangeType.RUNS), change(ChangeType.FEEDBACK));
        one.exchange();
        assertThat(next(ofOne).isEmpty()).isTrue();
    }

    @Test
    void clientResumesAtAnotherReplica() {
        // Given
        Replica stopped = new Replica();
        EventSubscription before = stopped.subscribe(null);
        stopped.exchange();
        Instant position = next(before).position();
        Replica other = new Replica();

        // When
        other.record(ChangeType.RUNS);
        other.exchange();
        Changes resumed = next(new Replica().subscribe(position));

        // Then
        assertThat(resumed.mayHaveMissed()).isFalse();
        assertThat(resumed.changes()).containsExactly(change(ChangeType.RUNS));
        assertThat(next(new Replica().subscribe(null)).isEmpty()).isTrue();
    }

    @Test
    void changesAreWrittenAtShutdown() {
        // Given
        Replica replica = new Replica();
        replica.record(ChangeType.RUNS);

        // When
        replica.relay.stop(null);

        // Then
        assertThat(Rows.count("SELECT count(*) FROM trace.recent_changes WHERE tenant_id = ? AND id = ?", workspace, session))
                .isEqualTo(1);
    }

    private Change change(ChangeType type) {
        return new Change(workspace, type, session, session, null, null);
    }

    private static Changes next(EventSubscription subscription) {
        return subscription.next(Duration.ofMillis(1)).await().indefinitely();
    }

    /** The beans of a replica. */
    private final class Replica {

        private final ChangeRecorder recorder = new ChangeRecorder();
        private final ChangeRelay relay = new ChangeRelay(database, repository, new ChangeWriter(database, recorder),
                new EventSubscriptions(clock));

        void record(ChangeType type) {
            recorder.ofSession(workspace, type, session, null);
        }

        void exchange() {
            wait(relay.exchange());
        }

        EventSubscription subscribe(Instant since) {
            return wait(relay.subscribe(workspace, since));
        }

        private <T> T wait(Uni<T> work) {
            return work.await().indefinitely();
        }
    }
}
