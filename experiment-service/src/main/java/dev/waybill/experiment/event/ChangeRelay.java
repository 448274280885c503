package dev.waybill.experiment.event;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.inject.Singleton;

import dev.waybill.common.api.trace.EventsResponse;
import dev.waybill.common.database.Database;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Exchanges changes between replicas through a table: every second, a replica writes what it recorded and reads what its
 * subscriptions wait for. Without changes and subscriptions it executes no statement.
 */
@Singleton
class ChangeRelay {

    private static final int WRITES_PER_CLEANUP = 60;

    private final Database database;
    private final ChangeRepository repository;
    private final ChangeRecorder recorder;
    private final EventSubscriptions subscriptions;
    private final AtomicInteger writes = new AtomicInteger();

    ChangeRelay(Database database, ChangeRepository repository, ChangeRecorder recorder, EventSubscriptions subscriptions) {
        this.database = database;
        this.repository = repository;
        this.recorder = recorder;
        this.subscriptions = subscriptions;
    }

    /** Writes recorded changes, then publishes those of all replicas. */
    @Scheduled(every = "1s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> exchange() {
        return write().chain(this::poll);
    }

    /** Starts a subscription to the changes after now. */
    Uni<EventSubscription> subscribe(UUID tenantId) {
        return database.inWorkspace(tenantId, connection -> repository.findNew(connection, new UUID[] { tenantId }))
                .map(known -> subscriptions.add(tenantId, known));
    }

    void unsubscribe(EventSubscription subscription) {
        subscriptions.remove(subscription);
    }

    /** Returns the changes of a workspace since an instant. */
    Uni<EventsResponse> since(UUID tenantId, Instant since) {
        return database.inWorkspace(tenantId, connection -> repository.position(connection, since)
                .chain(position -> repository.findSince(connection, tenantId, since)
                        .map(found -> new EventsResponse(position.time(), position.isKnown(),
                                found.stream().map(stored -> stored.change().toEvent()).toList()))));
    }

    /** Returns the current position without changes. */
    Uni<EventsResponse> now(UUID tenantId) {
        return database.inWorkspace(tenantId, connection -> repository.position(connection, Instant.EPOCH))
                .map(position -> new EventsResponse(position.time(), true, List.of()));
    }

    private Uni<Void> write() {
        List<Change> changes = recorder.drain();
        if (changes.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return database.everyWorkspace(connection -> write(connection, changes))
                .onFailure().invoke(failure -> recorder.restore(changes));
    }

    private Uni<Void> write(SqlConnection connection, List<Change> changes) {
        return repository.write(connection, changes)
                .chain(() -> writes.incrementAndGet() % WRITES_PER_CLEANUP == 0 ? repository.deleteOld(connection)
                        : Uni.createFrom().voidItem());
    }

    private Uni<Void> poll() {
        UUID[] tenantIds = subscriptions.tenantIds();
        if (tenantIds.length == 0) {
            return Uni.createFrom().voidItem();
        }
        return database.everyWorkspace(connection -> repository.findNew(connection, tenantIds))
                .invoke(found -> subscriptions.publish(tenantIds, found))
                .replaceWithVoid();
    }
}
