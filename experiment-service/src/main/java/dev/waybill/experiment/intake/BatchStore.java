package dev.waybill.experiment.intake;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

import dev.waybill.common.event.ChangeRecorder;
import dev.waybill.common.event.ChangeType;
import dev.waybill.common.limit.KeyedSemaphore;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.experiment.feedback.FeedbackWriter;
import dev.waybill.experiment.intake.BatchReader.Attachment;
import dev.waybill.experiment.intake.BatchReader.Batch;
import dev.waybill.experiment.intake.BatchReader.Feedback;
import dev.waybill.experiment.json.Bytes;
import dev.waybill.experiment.run.ReceivedRun;
import dev.waybill.experiment.run.TraceTransaction;
import dev.waybill.experiment.run.TraceTransaction.Lock;
import dev.waybill.experiment.run.TraceWriter;
import dev.waybill.experiment.session.SessionWriter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Stores each batch in one transaction, when its workspace gets a permit (docs/decisions/0029). */
@Singleton
class BatchStore {

    private static final Logger LOG = Logger.getLogger(BatchStore.class);
    private static final String DEFAULT_SESSION = "default";
    private static final String INSERT_ATTACHMENTS = """
            INSERT INTO trace.attachments (tenant_id, run_id, name, content_type, content)
            SELECT $1, unnest($2::uuid[]), unnest($3::text[]), unnest($4::text[]), unnest($5::bytea[])
            ON CONFLICT (tenant_id, run_id, name) DO NOTHING
            """;
    private static final String INSERT_RAW_FEEDBACK = """
            INSERT INTO trace.received_feedback (tenant_id, id, body)
            SELECT $1, unnest($2::uuid[]), convert_from(unnest($3::bytea[]), 'UTF8')
            ON CONFLICT (tenant_id, id) DO NOTHING
            """;

    private final TraceTransaction transactions;
    private final SessionWriter sessions;
    private final TraceWriter runs;
    private final FeedbackWriter feedback;
    private final Blocking blocking;
    private final ChangeRecorder changes;
    private final KeyedSemaphore semaphore;

    BatchStore(TraceTransaction transactions, SessionWriter sessions, TraceWriter runs, FeedbackWriter feedback,
            Blocking blocking, ChangeRecorder changes,
            @ConfigProperty(name = "quarkus.datasource.reactive.max-size") int connections,
            MeterRegistry meters) {
        this.transactions = transactions;
        this.sessions = sessions;
        this.runs = runs;
        this.feedback = feedback;
        this.blocking = blocking;
        this.changes = changes;
        // Fewer than the connections, so that reads continue.
        this.semaphore = new KeyedSemaphore(Math.max(1, connections * 3 / 4));
        meters.gauge("waybill.intake.batches.waiting", semaphore, KeyedSemaphore::waiting);
    }

    /** Completes when the batch is committed. */
    Uni<Void> store(UUID tenantId, Batch batch) {
        return store(tenantId, batch, connection -> Uni.createFrom().voidItem());
    }

    /**
     * Stores the batch as {@link #store(UUID, Batch)}, running {@code beforeInsert} in the transaction before the runs are
     * inserted; it runs again when the transaction is retried.
     */
    Uni<Void> store(UUID tenantId, Batch batch, Function<SqlConnection, Uni<Void>> beforeInsert) {
        return semaphore.withPermit(tenantId, blocking, () -> write(tenantId, batch, beforeInsert, Lock.SHARED)
                .onFailure(TraceWriter.EarlyPatchException.class)
                .recoverWithUni(() -> write(tenantId, batch, beforeInsert, Lock.EXCLUSIVE)))
                .invoke(patchedSessions -> recordChanges(tenantId, batch, patchedSessions))
                .invoke(() -> LOG.debugf("runs were stored %s=%s posts=%s patches=%s", LogKeys.TENANT_ID, tenantId,
                        batch.posts().size(), batch.patches().size()))
                .replaceWithVoid();
    }

    private void recordChanges(UUID tenantId, Batch batch, Set<UUID> patchedSessions) {
        Stream.concat(patchedSessions.stream(), batch.posts().stream().flatMap(run -> Stream.ofNullable(run.session())))
                .distinct()
                .forEach(session -> changes.ofSession(tenantId, ChangeType.RUNS, session, null));
        if (!batch.feedback().isEmpty()) {
            changes.ofSeveral(tenantId, ChangeType.FEEDBACK);
        }
    }

    // Returns the sessions of the patched runs.
    private Uni<Set<UUID>> write(UUID tenantId, Batch batch, Function<SqlConnection, Uni<Void>> beforeInsert, Lock lock) {
        return transactions.run(tenantId, lock, connection -> assignSessions(connection, tenantId, batch.posts())
                .chain(() -> beforeInsert.apply(connection))
                .chain(() -> runs.insert(connection, tenantId, batch.posts()))
                .chain(() -> runs.patch(connection, tenantId, batch.posts(), batch.patches(), lock))
                .call(() -> writeAttachments(connection, tenantId, batch.attachments()))
                .call(() -> writeFeedback(connection, tenantId, batch.feedback())));
    }

    private Uni<Void> assignSessions(SqlConnection connection, UUID tenantId, List<ReceivedRun> newRuns) {
        Set<UUID> ids = newRuns.stream()
                .map(ReceivedRun::sessionId)
                .flatMap(Optional::stream)
                .collect(Collectors.toSet());
        Set<String> names = newRuns.stream()
                .filter(run -> run.sessionId().isEmpty())
                .map(BatchStore::sessionName)
                .collect(Collectors.toSet());
        return sessions.require(connection, tenantId, ids)
                .chain(() -> sessions.findOrCreate(connection, tenantId, names))
                .invoke(sessionIds -> assignSessions(newRuns, sessionIds))
                .replaceWithVoid();
    }

    private static void assignSessions(List<ReceivedRun> newRuns, Map<String, UUID> sessionIds) {
        for (ReceivedRun run : newRuns) {
            if (run.sessionId().isEmpty()) {
                UUID session = sessionIds.get(sessionName(run));
                if (session == null) {
                    throw new IllegalStateException("a session that was just created is missing");
                }
                run.assignSession(session);
            }
        }
    }

    private static String sessionName(ReceivedRun run) {
        return run.sessionName().orElse(DEFAULT_SESSION);
    }

    private static Uni<Void> writeAttachments(SqlConnection connection, UUID tenantId, List<Attachment> attachments) {
        if (attachments.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return connection.preparedQuery(INSERT_ATTACHMENTS)
                .execute(Tuple.of(tenantId,
                        attachments.stream().map(Attachment::runId).toArray(UUID[]::new),
                        attachments.stream().map(Attachment::name).toArray(String[]::new),
                        attachments.stream().map(Attachment::contentType).toArray(String[]::new),
                        buffers(attachments.stream().map(Attachment::content).toList())))
                .replaceWithVoid();
    }

    // Parts that are not feedback on a run are stored as they were sent (docs/decisions/0012).
    private Uni<Void> writeFeedback(SqlConnection connection, UUID tenantId, List<Feedback> items) {
        return writeRawFeedback(connection, tenantId, items.stream().filter(item -> item.parsed().isEmpty()).toList())
                .chain(() -> Multi.createFrom()
                        .iterable(items.stream().map(Feedback::parsed).flatMap(Optional::stream).toList())
                        .onItem().transformToUniAndConcatenate(request -> feedback.put(connection, tenantId, request))
                        .onItem().ignoreAsUni());
    }

    private static Uni<Void> writeRawFeedback(SqlConnection connection, UUID tenantId, List<Feedback> raw) {
        if (raw.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return connection.preparedQuery(INSERT_RAW_FEEDBACK)
                .execute(Tuple.of(tenantId,
                        raw.stream().map(Feedback::id).toArray(UUID[]::new),
                        buffers(raw.stream().map(Feedback::body).toList())))
                .replaceWithVoid();
    }

    private static Buffer[] buffers(List<Bytes> contents) {
        return contents.stream().map(Bytes::toBuffer).toArray(Buffer[]::new);
    }
}
