package dev.waybill.experiment.event;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.trace.EventsResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.event.Change;
import dev.waybill.common.event.ChangeWriter;
import dev.waybill.experiment.event.ChangeRepository.Position;
import dev.waybill.experiment.event.ChangeRepository.StoredChange;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Exchanges changes between replicas through a table: every second, a replica writes what it recorded and reads what its
 * subscriptions wait for. Without changes and subscriptions it only deletes old changes, once a minute.
 */
@Singleton
class ChangeRelay {

    /** Maximum number of changes that are returned for a position. */
    static final int MAX_CHANGES = 1_000;

    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(2);

    private final Database database;
    private final ChangeRepository repository;
    private final ChangeWriter writer;
    private final EventSubscriptions subscriptions;

    ChangeRelay(Database database, ChangeRepository repository, ChangeWriter writer, EventSubscriptions subscriptions) {
        this.database = database;
        this.repository = repository;
        this.writer = writer;
        this.subscriptions = subscriptions;
    }

    /** Writes recorded changes, then publishes those of all replicas, also if the changes could not be written. */
    @Scheduled(every = "1s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> exchange() {
        return writer.write().eventually(this::poll);
    }

    @Scheduled(every = "1m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> deleteOld() {
        return database.everyWorkspace(repository::deleteOld);
    }

    // Changes since the last exchange are announced by the other replicas.
    void stop(@Observes ShutdownEvent stopping) {
        writer.write().ifNoItem().after(SHUTDOWN_TIMEOUT).fail()
                .onFailure().recoverWithNull()
                .subscribeAsCompletionStage()
                .join();
    }

    /** Starts a subscription to the changes since a position; null for now. */
    Uni<EventSubscription> subscribe(UUID tenantId, @Nullable Instant since) {
        return database.inWorkspace(tenantId, connection -> read(connection, tenantId, since)
                .chain(read -> repository.findNew(connection, new UUID[] { tenantId })
                        .map(newest -> new Start(read, newest))))
                .map(start -> subscribe(tenantId, start));
    }

    private EventSubscription subscribe(UUID tenantId, Start start) {
        ReadChanges read = start.read();
        EventSubscription subscription = subscriptions.add(tenantId, read.position(), start.newest());
        if (read.isComplete()) {
            subscription.add(read.changes(), read.position());
        } else {
            subscription.resync();
        }
        return subscription;
    }

    void unsubscribe(EventSubscription subscription) {
        subscriptions.remove(subscription);
    }

    /** Returns the changes of a workspace since a position; null for none and the current position. */
    Uni<EventsResponse> list(UUID tenantId, @Nullable Instant since) {
        return database.inWorkspace(tenantId, connection -> read(connection, tenantId, since))
                .map(read -> new EventsResponse(read.position(), read.isComplete(),
                        read.changes().stream().map(ChangeStream::event).toList()));
    }

    private Uni<ReadChanges> read(SqlConnection connection, UUID tenantId, @Nullable Instant since) {
        return repository.position(connection, since == null ? Instant.EPOCH : since)
                .chain(position -> since != null && position.isKnown() ? readSince(connection, tenantId, since, position)
                        : Uni.createFrom().item(new ReadChanges(position.time(), since == null, List.of())));
    }

    private Uni<ReadChanges> readSince(SqlConnection connection, UUID tenantId, Instant since, Position position) {
        return repository.findSince(connection, tenantId, since, MAX_CHANGES + 1)
                .map(found -> found.size() > MAX_CHANGES ? new ReadChanges(position.time(), false, List.of())
                        : new ReadChanges(position.time(), true, found.stream().map(StoredChange::change).toList()));
    }

    private Uni<Void> poll() {
        UUID[] tenantIds = subscriptions.tenantIds();
        if (tenantIds.length == 0) {
            return Uni.createFrom().voidItem();
        }
        return database.everyWorkspace(connection -> repository.position(connection, Instant.EPOCH)
                .chain(position -> repository.findNew(connection, tenantIds)
                        .invoke(found -> subscriptions.publish(tenantIds, found, position.time()))))
                .replaceWithVoid();
    }

    /**
     * The changes since a position.
     *
     * @param isComplete whether there are no others
     */
    private record ReadChanges(Instant position, boolean isComplete, List<Change> changes) {
    }

    private record Start(ReadChanges read, List<StoredChange> newest) {
    }
}
