package dev.waybill.experiment.intake;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.experiment.body.Bytes;
import dev.waybill.experiment.feedback.FeedbackService;
import dev.waybill.experiment.intake.Batch.Attachment;
import dev.waybill.experiment.intake.Batch.Feedback;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Stores the attachments and feedback of a batch (docs/decisions/0012). */
@Singleton
class AttachmentFeedbackWriter {

    private static final String INSERT_ATTACHMENTS = """
            INSERT INTO trace.attachments (tenant_id, run_id, name, content_type, content)
            SELECT $1, unnest($2::uuid[]), unnest($3::text[]), unnest($4::text[]), unnest($5::bytea[])
            ON CONFLICT (tenant_id, run_id, name) DO NOTHING
            """;

    private static final String INSERT_FEEDBACK = """
            INSERT INTO trace.received_feedback (tenant_id, id, body)
            SELECT $1, unnest($2::uuid[]), convert_from(unnest($3::bytea[]), 'UTF8')
            ON CONFLICT (tenant_id, id) DO NOTHING
            """;

    private final FeedbackService feedback;

    AttachmentFeedbackWriter(FeedbackService feedback) {
        this.feedback = feedback;
    }

    Uni<Void> write(SqlConnection connection, UUID tenantId, Batch batch) {
        List<Feedback> raw = batch.feedback().stream().filter(item -> item.request() == null).toList();
        return writeAttachments(connection, tenantId, batch.attachments())
                .chain(() -> writeRawFeedback(connection, tenantId, raw))
                .chain(() -> putFeedback(connection, tenantId, batch.feedback()));
    }

    private Uni<Void> putFeedback(SqlConnection connection, UUID tenantId, List<Feedback> items) {
        return Multi.createFrom().iterable(items)
                .map(item -> Optional.ofNullable(item.request()))
                .filter(Optional::isPresent)
                .onItem().transformToUniAndConcatenate(request -> feedback.put(connection, tenantId, request.get()))
                .onItem().ignoreAsUni();
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

    private static Uni<Void> writeRawFeedback(SqlConnection connection, UUID tenantId, List<Feedback> feedback) {
        if (feedback.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return connection.preparedQuery(INSERT_FEEDBACK)
                .execute(Tuple.of(tenantId,
                        feedback.stream().map(Feedback::id).toArray(UUID[]::new),
                        buffers(feedback.stream().map(Feedback::body).toList())))
                .replaceWithVoid();
    }

    private static Buffer[] buffers(List<Bytes> contents) {
        return contents.stream().map(Bytes::toBuffer).toArray(Buffer[]::new);
    }
}
