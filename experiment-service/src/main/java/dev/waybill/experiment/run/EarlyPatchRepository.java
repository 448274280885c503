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

    EarlyPatchRepository(RunReader reader) {
        this.reader = reader;
    }

    Uni<Void> insert(SqlConnection connection, UUID tenantId, List<RunFields> patches) {
        UUID[] ids = patches.stream().map(RunFields::id).toArray(UUID[]::new);
        Buffer[] bodies = patches.stream().map(RunJsonWriter::write).map(Bytes::toBuffer).toArray(Buffer[]::new);
        return connection.preparedQuery(INSERT)
                .execute(Tuple.of(tenantId, ids, bodies))
                .replaceWithVoid();
    }

    /** Deletes and returns the patches of these runs in the order of arrival. */
    Uni<List<RunFields>> deleteByRun(SqlConnection connection, UUID tenantId, List<RunFields> runs) {
        if (runs.isEmpty()) {
            return Uni.createFrom().item(List.of());
        }
        return connection.preparedQuery(DELETE_BY_RUN)
                .execute(Tuple.of(tenantId, runs.stream().map(RunFields::id).toArray(UUID[]::new)))
                .map(this::read);
    }

    Uni<Void> deleteOlderThan(SqlConnection connection, Duration age) {
        return connection.preparedQuery(DELETE_EXPIRED)
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
