package dev.waybill.export.verification;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.MismatchKind;
import dev.waybill.common.api.export.ObjectMismatch;
import dev.waybill.common.api.export.Receipt;
import dev.waybill.common.api.export.RunError;
import dev.waybill.common.api.export.VerificationProgress;
import dev.waybill.common.api.export.VerificationResponse;
import dev.waybill.common.api.export.VerificationResult;
import dev.waybill.common.api.export.VerificationStatus;
import dev.waybill.common.database.Rows;
import dev.waybill.export.verification.CheckedFiles.Checkpoint;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.mutiny.sqlclient.Row;

/** Maps rows of {@code export.verifications} to records and their JSON columns to and from records. */
final class VerificationRows {

    private VerificationRows() {
    }

    static VerificationResponse response(Row row) {
        return new VerificationResponse(row.getUUID("id"), row.getUUID("tenant_id"), row.getUUID("export_id"),
                VerificationStatus.parse(row.getString("status")), Rows.requireInstant(row, "created_at"),
                Rows.requireInstant(row, "updated_at"),
                Rows.instant(row, "finished_at"),
                new VerificationProgress(row.getInteger("files_total"), row.getInteger("files_checked"),
                        row.getLong("bytes_total"), row.getLong("bytes_checked")),
                result(row), error(row), receipt(row.getJsonObject("receipt")));
    }

    static Checkpoint checkpoint(Row row) {
        return new Checkpoint(row.getInteger("files_checked"), row.getLong("bytes_checked"), row.getLong("rows_in_files"),
                new Mismatches(mismatches(row), row.getLong("mismatches_total")));
    }

    static JsonArray json(Mismatches mismatches) {
        JsonArray objects = new JsonArray();
        mismatches.first().forEach(mismatch -> objects.add(new JsonObject()
                .put("path", mismatch.path())
                .put("kind", mismatch.kind().toString())
                .put("message", mismatch.message())
                .put("expected_bytes", mismatch.expectedBytes())
                .put("actual_bytes", mismatch.actualBytes())
                .put("expected_sha256", mismatch.expectedSha256())
                .put("actual_sha256", mismatch.actualSha256())));
        return objects;
    }

    static @Nullable JsonObject json(@Nullable Receipt receipt) {
        return receipt == null ? null
                : new JsonObject()
                        .put("algorithm", receipt.algorithm())
                        .put("key_id", receipt.keyId().toString())
                        .put("payload", receipt.payload())
                        .put("signature", receipt.signature());
    }

    private static @Nullable VerificationResult result(Row row) {
        Boolean intact = row.getBoolean("intact");
        return intact == null ? null
                : new VerificationResult(intact, row.getLong("rows_counted"), row.getLong("rows_encoded"),
                        row.getLong("rows_in_files"), row.getLong("rows_in_manifest"), row.getBoolean("objects_listed"),
                        row.getLong("mismatches_total"), mismatches(row));
    }

    private static List<ObjectMismatch> mismatches(Row row) {
        return StreamSupport.stream(row.getJsonArray("mismatches").spliterator(), false)
                .map(JsonObject.class::cast)
                .map(VerificationRows::mismatch)
                .toList();
    }

    private static ObjectMismatch mismatch(JsonObject json) {
        MismatchKind kind = Arrays.stream(MismatchKind.values())
                .filter(known -> known.toString().equals(json.getString("kind")))
                .findFirst()
                .orElseThrow();
        return new ObjectMismatch(json.getString("path"), kind, json.getString("message"), json.getLong("expected_bytes"),
                json.getLong("actual_bytes"), json.getString("expected_sha256"), json.getString("actual_sha256"));
    }

    private static @Nullable RunError error(Row row) {
        String code = row.getString("error_code");
        return code == null ? null
                : new RunError(code, row.getString("error_message"), Rows.requireInstant(row, "finished_at"));
    }

    private static @Nullable Receipt receipt(@Nullable JsonObject json) {
        return json == null ? null
                : new Receipt(json.getString("algorithm"), UUID.fromString(json.getString("key_id")),
                        json.getString("payload"), json.getString("signature"));
    }
}
