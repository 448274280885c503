package dev.waybill.experiment.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;

import dev.waybill.common.database.Database;
import dev.waybill.common.time.Timestamps;
import dev.waybill.experiment.json.Bytes;
import dev.waybill.experiment.json.ViolationCollector;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Stores patches that arrive before their runs as JSON until the runs arrive. */
@Singleton
class EarlyPatchRepository {

    private static final String INSERT = """
            INSERT INTO trace.early_patches (tenant_id, run_id, body)
            SELECT $1, unnest($2::uuid[]), convert_from(unnest($3::bytea[]), 'UTF8')
            """;

    private static final String DELETE_BY_RUN = """
            WITH taken AS (
                DELETE FROM trace.early_patches WHERE tenant_id = $1 AND run_id = ANY($2) RETURNING run_id, sequence, body)
            SELECT run_id, body FROM taken ORDER BY sequence
            """;

    private static final String DELETE_EXPIRED = """
            DELETE FROM trace.early_patches WHERE received_at < now() - make_interval(secs => $1)
            """;

    private final RunReader reader;
    private final Database database;
    private final Duration retention;

    EarlyPatchRepository(RunReader reader, Database database, EarlyPatchConfig config) {
        this.reader = reader;
        this.database = database;
        this.retention = config.retention();
    }

    Uni<Void> insert(SqlConnection connection, UUID tenantId, List<ReceivedRun> patches) {
        UUID[] ids = patches.stream().map(ReceivedRun::id).toArray(UUID[]::new);
        Buffer[] bodies = patches.stream().map(PatchWriter::write).map(Bytes::toBuffer).toArray(Buffer[]::new);
        return connection.preparedQuery(INSERT)
                .execute(Tuple.of(tenantId, ids, bodies))
                .replaceWithVoid();
    }

    /** Deletes and returns the patches of these runs in the order of arrival. */
    Uni<List<ReceivedRun>> deleteByRun(SqlConnection connection, UUID tenantId, List<ReceivedRun> runs) {
        if (runs.isEmpty()) {
            return Uni.createFrom().item(List.of());
        }
        return connection.preparedQuery(DELETE_BY_RUN)
                .execute(Tuple.of(tenantId, runs.stream().map(ReceivedRun::id).toArray(UUID[]::new)))
                .map(this::read);
    }

    /** Deletes patches whose runs did not arrive within the retention time. */
    @Scheduled(every = "1h", delayed = "5m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> deleteExpired() {
        return database.everyWorkspace(connection -> connection.preparedQuery(DELETE_EXPIRED)
                .execute(Tuple.of((double) retention.toSeconds()))
                .replaceWithVoid());
    }

    private List<ReceivedRun> read(RowSet<Row> rows) {
        List<ReceivedRun> patches = new ArrayList<>(rows.size());
        for (Row row : rows) {
            ReceivedRun patch = reader.readRun(Bytes.of(row.getString("body")), ViolationCollector.none());
            patch.id = row.getUUID("run_id");
            patches.add(patch);
        }
        return patches;
    }

    /** Writes a patch as JSON that {@link RunReader} can read. */
    static final class PatchWriter {

        private static final JsonFactory FACTORY = new JsonFactory();

        private PatchWriter() {
        }

        static Bytes write(ReceivedRun run) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
                json.writeStartObject();
                text(json, "name", run.name);
                text(json, "run_type", run.runType);
                text(json, "status", run.status);
                text(json, "error", run.error);
                time(json, "start_time", run.startTime);
                time(json, "end_time", run.endTime);
                time(json, "first_token_time", run.firstTokenTime);
                text(json, "reference_example_id", run.referenceExampleId);
                text(json, "manifest_id", run.manifestId);
                text(json, "trace_tier", run.traceTier);
                usage(json, run.ownUsage);
                if (run.tags != null) {
                    json.writeArrayFieldStart("tags");
                    for (String tag : run.tags) {
                        json.writeString(tag);
                    }
                    json.writeEndArray();
                }
                raw(json, "inputs", run.inputs);
                raw(json, "outputs", run.outputs);
                raw(json, "events", run.events);
                raw(json, "extra", run.extra);
                raw(json, "serialized", run.serialized);
                json.writeEndObject();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return new Bytes(bytes.toByteArray(), 0, bytes.size());
        }

        private static void usage(JsonGenerator json, TokenUsage usage) throws IOException {
            number(json, "prompt_tokens", usage.promptTokens);
            number(json, "completion_tokens", usage.completionTokens);
            number(json, "total_tokens", usage.totalTokens);
            number(json, "prompt_cost", usage.promptCost);
            number(json, "completion_cost", usage.completionCost);
            number(json, "total_cost", usage.totalCost);
        }

        private static void text(JsonGenerator json, String member, @Nullable Object value) throws IOException {
            if (value != null) {
                json.writeStringField(member, value.toString());
            }
        }

        private static void time(JsonGenerator json, String member, @Nullable Instant value) throws IOException {
            text(json, member, value == null ? null : Timestamps.format(value));
        }

        private static void number(JsonGenerator json, String member, @Nullable Number value) throws IOException {
            if (value != null) {
                json.writeFieldName(member);
                json.writeNumber(value instanceof BigDecimal cost ? cost.toPlainString() : value.toString());
            }
        }

        private static void raw(JsonGenerator json, String member, @Nullable Bytes value) throws IOException {
            if (value != null) {
                json.writeFieldName(member);
                json.writeRawValue(value.toString());
            }
        }
    }
}
