package dev.waybill.experiment.feedback;

import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.experiment.CreateFeedbackRequest;
import dev.waybill.common.api.experiment.FeedbackResponse;
import dev.waybill.common.api.experiment.UpdateFeedbackRequest;
import dev.waybill.common.database.Database;
import dev.waybill.common.event.ChangeRecorder;
import dev.waybill.common.event.ChangeType;
import dev.waybill.common.idempotency.CreatedResourceRecorder;
import dev.waybill.common.page.Page;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Creates, reads, updates and deletes feedback (contract.md "Experiment upload"). */
@Singleton
class FeedbackService {

    private final Database database;
    private final FeedbackRepository feedback;
    private final FeedbackWriter writer;
    private final Clock clock;
    private final CreatedResourceRecorder idempotency;
    private final ChangeRecorder changes;

    FeedbackService(Database database, FeedbackRepository feedback, FeedbackWriter writer, Clock clock,
            CreatedResourceRecorder idempotency, ChangeRecorder changes) {
        this.database = database;
        this.feedback = feedback;
        this.writer = writer;
        this.clock = clock;
        this.idempotency = idempotency;
        this.changes = changes;
    }

    /** Creates feedback, or replaces the feedback with the same id. 404 if the session does not exist. */
    Uni<FeedbackResponse> create(UUID tenantId, CreateFeedbackRequest request) {
        return database.inWorkspace(tenantId, connection -> put(connection, tenantId, request)
                .call(created -> idempotency.recordCreated(created.id(), connection)))
                .invoke(created -> recordChange(tenantId, created));
    }

    private void recordChange(UUID tenantId, FeedbackResponse changed) {
        if (changed.sessionId() == null) {
            changes.ofSeveral(tenantId, ChangeType.FEEDBACK);
        } else {
            changes.ofSession(tenantId, ChangeType.FEEDBACK, changed.sessionId(), null);
        }
    }

    private Uni<FeedbackResponse> put(SqlConnection connection, UUID tenantId, CreateFeedbackRequest request) {
        Uni<Void> sessionChecked = request.sessionId() == null
                ? Uni.createFrom().voidItem()
                : feedback.requireSession(connection, tenantId, request.sessionId());
        return sessionChecked.chain(() -> writer.put(connection, tenantId, request)).map(feedback::feedback);
    }

    Uni<FeedbackResponse> get(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> feedback.find(connection, tenantId, id))
                .map(found -> require(found, id));
    }

    Uni<Page<FeedbackResponse>> list(UUID tenantId, FeedbackQuery query) {
        return database.inWorkspace(tenantId, connection -> feedback.list(connection, tenantId, query)
                .chain(found -> feedback.count(connection, tenantId, query).map(total -> new Page<>(found, total))));
    }

    Uni<FeedbackResponse> update(UUID tenantId, UUID id, UpdateFeedbackRequest request) {
        List<Violation> violations = FeedbackValues.violations(request.score(), request.value(), request.correction(),
                request.comment());
        ProblemException.throwIfAny(violations);
        return database.inWorkspace(tenantId, connection -> feedback.update(connection, changed(tenantId, id, request)))
                .map(found -> require(found, id))
                .invoke(updated -> recordChange(tenantId, updated));
    }

    Uni<Void> remove(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> feedback.remove(connection, tenantId, id))
                .invoke(existed -> {
                    if (!existed) {
                        throw ProblemException.notFound("feedback", id);
                    }
                })
                .invoke(() -> changes.ofSeveral(tenantId, ChangeType.FEEDBACK))
                .replaceWithVoid();
    }

    private Tuple changed(UUID tenantId, UUID id, UpdateFeedbackRequest request) {
        return Tuple.tuple()
                .addUUID(tenantId)
                .addUUID(id)
                .addBoolean(request.score() != null)
                .addDouble(FeedbackValues.score(request.score()))
                .addBoolean(request.value() != null)
                .addString(FeedbackValues.json(request.value()))
                .addString(FeedbackValues.label(request.value()))
                .addBoolean(request.comment() != null)
                .addString(FeedbackValues.label(request.comment()))
                .addBoolean(request.correction() != null)
                .addString(FeedbackValues.json(request.correction()))
                .addOffsetDateTime(clock.instant().atOffset(ZoneOffset.UTC));
    }

    private static FeedbackResponse require(Optional<FeedbackResponse> found, UUID id) {
        return found.orElseThrow(() -> ProblemException.notFound("feedback", id));
    }
}
