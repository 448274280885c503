package dev.waybill.export.run;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Rows;
import dev.waybill.common.job.Lease;
import dev.waybill.export.storage.PreparedUpload;
import dev.waybill.export.trace.Checkpoint;
import dev.waybill.export.trace.Position;
import dev.waybill.export.trace.Snapshot;
import io.vertx.core.json.JsonObject;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;

/** Maps rows of the runs' tables to records. */
final class RunRowMapper {

    private RunRowMapper() {
    }

    static Attempt attempt(Row row, Lease lease, @Nullable List<ExportRunFile> committed, List<ExportRunFile> checkpoints) {
        String[] fields = row.getArrayOfStrings("export_fields");
        return new Attempt(lease, row.getUUID("export_id"), row.getUUID("destination_id"), row.getInteger("attempts"),
                Rows.requireInstant(row, "start_time"), Rows.requireInstant(row, "end_time"), ExportLayout.from(row),
                row.getString("compression"),
                fields == null ? null : List.of(fields), row.getString("filter"), row.getString("session_name"),
                row.getBoolean("started_over"), committed, checkpoints, row.getString("trace_parent"));
    }

    static ExportRunFile file(Row row) {
        ExportRunFile file = new ExportRunFile(row.getInteger("number"), upload(row.getJsonObject("upload")),
                row.getLong("rows"),
                row.getLong("bytes"), row.getString("sha256"), Rows.requireInstant(row, "min_start_time"),
                Rows.requireInstant(row, "max_start_time"),
                row.getLong("truncated_rows"));
        Instant lastStartTime = Rows.instant(row, "last_start_time");
        return lastStartTime == null ? file
                : file.withCheckpoint(new Position(lastStartTime, row.getUUID("last_id")), row.getUUID("row_ids"),
                        new Snapshot(row.getString("snapshot"), Rows.requireInstant(row, "snapshot_at")));
    }

    /** Returns the parameters that store a file, after {@code keys}. */
    static Tuple values(ExportRunFile file, Object... keys) {
        List<@Nullable Object> values = new ArrayList<>(List.of(keys));
        values.addAll(List.of(file.number(), file.key(), json(file.upload()), file.rows(), file.bytes(), file.sha256(),
                utc(file.minStartTime()), utc(file.maxStartTime()), file.truncatedRows()));
        Checkpoint checkpoint = file.checkpoint();
        values.addAll(checkpoint == null ? Collections.nCopies(5, null)
                : List.of(utc(checkpoint.last().startTime()), checkpoint.last().id(), checkpoint.ids(),
                        checkpoint.snapshot().transactions(), utc(checkpoint.snapshot().takenAt())));
        return Tuple.tuple(values);
    }

    private static OffsetDateTime utc(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }

    /** Returns the members of the upload and of its token, which is an object. */
    private static JsonObject json(PreparedUpload upload) {
        return new JsonObject(upload.token())
                .put("key", upload.key())
                .put("upload_id", upload.uploadId())
                .put("size", upload.size())
                .put("sha256", upload.sha256());
    }

    private static PreparedUpload upload(JsonObject json) {
        JsonObject token = json.copy();
        Stream.of("key", "upload_id", "size", "sha256").forEach(token::remove);
        return new PreparedUpload(json.getString("key"), json.getString("upload_id"), token.encode(), json.getLong("size"),
                json.getString("sha256"));
    }
}
