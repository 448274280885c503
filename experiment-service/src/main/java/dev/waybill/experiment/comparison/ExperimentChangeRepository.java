package dev.waybill.experiment.comparison;

import java.util.Arrays;
import java.util.UUID;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import dev.waybill.experiment.comparison.ComparisonScopeService.ComparisonScope;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads which changes of experiments are committed; triggers record them (docs/decisions/0157). */
@Singleton
class ExperimentChangeRepository {

    /** Changes of feedback whose run is unknown. */
    private static final UUID UNKNOWN_RUNS = new UUID(0, 0);
    /** Changes of examples. */
    private static final UUID EXAMPLES = new UUID(-1, -1);

    private static final String FIND = """
            SELECT coalesce(encode(sha256(string_agg(uuid_send(change_id), ''::bytea ORDER BY experiment_id, change_id)
                    FILTER (WHERE experiment_id <> $3)), 'hex'), '') AS scores,
                coalesce(encode(sha256(string_agg(uuid_send(change_id), ''::bytea ORDER BY change_id)
                    FILTER (WHERE experiment_id = $3)), 'hex'), '') AS examples
            FROM trace.experiment_changes WHERE tenant_id = $1 AND experiment_id = ANY($2)
            """;

    /** Returns the current state of the experiments. */
    Uni<ComparisonState> find(SqlConnection connection, ComparisonScope scope) {
        UUID[] changed = Stream.concat(Arrays.stream(scope.ids()), Stream.of(UNKNOWN_RUNS, EXAMPLES)).toArray(UUID[]::new);
        return connection.preparedQuery(FIND)
                .execute(Tuple.of(scope.tenantId(), changed, EXAMPLES))
                .map(rows -> {
                    Row row = rows.iterator().next();
                    return new ComparisonState(scope, row.getString("scores"), row.getString("examples"));
                });
    }
}
