package dev.waybill.experiment.intake;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.experiment.partition.RunPartitions;
import dev.waybill.experiment.run.EarlyPatchException;
import dev.waybill.experiment.run.Isolation;
import dev.waybill.experiment.run.RunFields;
import dev.waybill.experiment.run.TraceWriter;
import dev.waybill.experiment.session.SessionService;
import dev.waybill.experiment.session.WorkspaceGate;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.pgclient.PgException;

/** Stores a batch in one transaction: all of it or nothing. */
@Singleton
class BatchStore {

    private static final Logger LOG = Logger.getLogger(BatchStore.class);
    private static final String DEFAULT_SESSION = "default";
    private static final Set<String> WORTH_REPEATING = Set.of("40001", "40P01");
    private static final int REPEATS = 3;

    private final Database database;
    private final RunPartitions partitions;
    private final WorkspaceGate gate;
    private final SessionService sessions;
    private final TraceWriter writer;
    private final AttachmentFeedbackWriter extras;

    BatchStore(Database database, RunPartitions partitions, WorkspaceGate gate, SessionService sessions, TraceWriter writer,
            AttachmentFeedbackWriter extras) {
        this.database = database;
        this.partitions = partitions;
        this.gate = gate;
        this.sessions = sessions;
        this.writer = writer;
        this.extras = extras;
    }

    /** Completes once the batch is committed. */
    Uni<Void> store(UUID tenantId, Batch batch) {
        return store(tenantId, batch, connection -> Uni.createFrom().voidItem());
    }

    /** As {@link #store(UUID, Batch)}, with something to do in the same transaction before the runs are written. */
    Uni<Void> store(UUID tenantId, Batch batch, PreInsertHook preparation) {
        return repeated(tenantId, batch, preparation, Isolation.SHARED)
                .onFailure(EarlyPatchException.class)
                .recoverWithUni(() -> repeated(tenantId, batch, preparation, Isolation.ALONE))
                .invoke(() -> LOG.debugf("runs were stored %s=%s posts=%d patches=%d", LogKeys.TENANT_ID, tenantId,
                        batch.runs().posts().size(), batch.runs().patches().size()));
    }

    // Two batches that change the same runs may still meet the wrong way round with something else; then one of them is told so.
    private Uni<Void> repeated(UUID tenantId, Batch batch, PreInsertHook preparation, Isolation isolation) {
        return partitions
                .onDemand(database.inWorkspace(tenantId,
                        connection -> write(connection, tenantId, batch, preparation, isolation)))
                .onFailure(BatchStore::isWorthRepeating).retry()
                .withBackOff(Duration.ofMillis(20), Duration.ofMillis(500))
                .atMost(REPEATS);
    }

    private Uni<Void> write(SqlConnection connection, UUID tenantId, Batch batch, PreInsertHook preparation,
            Isolation isolation) {
        Uni<Void> entered = isolation == Isolation.ALONE
                ? gate.enterAlone(connection, tenantId)
                : gate.enter(connection, tenantId);
        return entered
                .chain(() -> putIntoSessions(connection, tenantId, batch.runs().posts()))
                .chain(() -> preparation.prepare(connection))
                .chain(() -> writer.insert(connection, tenantId, batch.runs().posts()))
                .chain(() -> writer.patch(connection, tenantId, batch.runs(), isolation))
                .chain(() -> extras.write(connection, tenantId, batch));
    }

    private Uni<Void> putIntoSessions(SqlConnection connection, UUID tenantId, List<RunFields> runs) {
        Set<UUID> ids = runs.stream()
                .map(RunFields::sessionId)
                .flatMap(Optional::stream)
                .collect(Collectors.toSet());
        Set<String> names = runs.stream()
                .filter(run -> run.sessionId().isEmpty())
                .map(BatchStore::sessionName)
                .collect(Collectors.toSet());
        return sessions.require(connection, tenantId, ids)
                .chain(() -> sessions.named(connection, tenantId, names))
                .invoke(named -> putIntoSessions(runs, named))
                .replaceWithVoid();
    }

    private static void putIntoSessions(List<RunFields> runs, Map<String, UUID> named) {
        for (RunFields run : runs) {
            if (run.sessionId().isEmpty()) {
                UUID session = named.get(sessionName(run));
                if (session == null) {
                    throw new IllegalStateException("a session that was just made is not there");
                }
                run.putInto(session);
            }
        }
    }

    private static String sessionName(RunFields run) {
        return run.sessionName().orElse(DEFAULT_SESSION);
    }

    private static boolean isWorthRepeating(Throwable failure) {
        return failure instanceof PgException told && WORTH_REPEATING.contains(told.getSqlState());
    }
}
