package dev.waybill.experiment.attachment;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.trace.AttachmentResponse;
import dev.waybill.common.database.Rows;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads attachments. Contents are read in chunks, so PostgreSQL fetches only the requested bytes. */
@Singleton
class AttachmentRepository {

    private static final String NOT_REMOVED = """
            NOT EXISTS (SELECT FROM trace.run_places place JOIN trace.session_removals USING (tenant_id, session_id)
               WHERE place.tenant_id = $1 AND place.id = $2)""";

    private static final String LIST = """
            SELECT name, content_type, octet_length(content) AS size FROM trace.attachments
            WHERE tenant_id = $1 AND run_id = $2 AND {not_removed} ORDER BY name
            """.replace("{not_removed}", NOT_REMOVED);

    private static final String FIND = """
            SELECT name, content_type, octet_length(content) AS size FROM trace.attachments
            WHERE tenant_id = $1 AND run_id = $2 AND name = $3 AND {not_removed}
            """.replace("{not_removed}", NOT_REMOVED);

    private static final String READ_CHUNK = """
            SELECT substring(content FROM $4 FOR $5) FROM trace.attachments WHERE tenant_id = $1 AND run_id = $2 AND name = $3
            """;

    Uni<List<AttachmentResponse>> list(SqlConnection connection, UUID tenantId, UUID runId) {
        return connection.preparedQuery(LIST)
                .execute(Tuple.of(tenantId, runId))
                .map(rows -> Rows.list(rows, AttachmentRepository::attachment));
    }

    Uni<Optional<AttachmentResponse>> find(SqlConnection connection, UUID tenantId, UUID runId, String name) {
        return connection.preparedQuery(FIND)
                .execute(Tuple.of(tenantId, runId, name))
                .map(rows -> Rows.findFirst(rows, AttachmentRepository::attachment));
    }

    /** Returns the bytes of {@code range}; null if the attachment was deleted meanwhile. */
    Uni<@Nullable Buffer> readChunk(SqlConnection connection, UUID tenantId, UUID runId, String name, Range range) {
        return connection.preparedQuery(READ_CHUNK)
                .execute(Tuple.of(tenantId, runId, name, range.offset() + 1, range.length()))
                .map(rows -> Rows.first(rows, row -> row.get(Buffer.class, 0)));
    }

    private static AttachmentResponse attachment(Row row) {
        return new AttachmentResponse(row.getString("name"), row.getString("content_type"), row.getInteger("size"));
    }

    /** A byte range of an attachment's content. */
    record Range(int offset, int length) {
    }
}
