package dev.waybill.experiment.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.experiment.body.Bytes;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** The changes that came before their runs, kept as JSON until the runs come (contract.md "Trace intake"). */
@Singleton
class EarlyPatchRepository {

    private static final String KEEP = """
            INSERT INTO trace.early_patches (tenant_id, run_id, body)
            SELECT $1, unnest($2::uuid[]), convert_from(unnest($3::bytea[]), 'UTF8')
            """;

    private static final String TAKE = """
            WITH taken AS (
                DELETE FROM trace.early_patches WHERE tenant_id = $1 AND run_id = ANY($2) RETURNING run_id, sequence, body)
            SELECT run_id, body FROM taken ORDER BY sequence
            """;

    private static final String REMOVE = """
            DELETE FROM trace.early_patches WHERE received_at < now() - make_interval(secs => $1)
            """;

    private final RunReader reader;

    EarlyPatchRepository(RunReader reader) {
        this.reader = reader;
    }

    Uni<Void> keep(SqlConnection connection, UUID tenantId, List<RunFields> patches) {
        UUID[] ids = patches.stream().map(RunFields::id).toArray(UUID[]::new);
        Buffer[] bodies = patches.stream().map(RunJsonWriter::write).map(Bytes::toBuffer).toArray(Buffer[]::new);
        return connection.preparedQuery(KEEP)
                .execute(Tuple.of(tenantId, ids, bodies))
                .replaceWithVoid();
    }

    /** Takes out the changes of these runs, in the order they came. */
    Uni<List<RunFields>> take(SqlConnection connection, UUID tenantId, List<RunFields> runs) {
        if (runs.isEmpty()) {
            return Uni.createFrom().item(List.of());
        }
        return connection.preparedQuery(TAKE)
                .execute(Tuple.of(tenantId, runs.stream().map(RunFields::id).toArray(UUID[]::new)))
                .map(this::read);
    }

    Uni<Void> removeOlderThan(SqlConnection connection, Duration age) {
        return connection.preparedQuery(REMOVE)
                .execute(Tuple.of((double) age.toSeconds()))
                .replaceWithVoid();
    }

    private List<RunFields> read(RowSet<Row> rows) {
        List<RunFields> patches = new ArrayList<>(rows.size());
        for (Row row : rows) {
            RunFields patch = reader.readRun(Bytes.of(row.getString("body")), Violations.none());
            patch.id = row.getUUID("run_id");
            patches.add(patch);
        }
        return patches;
    }
}
