package dev.waybill.experiment.comparison;

import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.experiment.ScoreDistribution;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Counts the scores of one feedback key and their differences from the baseline in bins. */
@Singleton
class DistributionRepository {

    private static final String PAIRS = ScoreSql.scores(" AND key = $3") + """
            , pairs AS MATERIALIZED (
                SELECT b.score AS baseline, c.score, %s AS difference
                FROM s b JOIN s c ON c.example_id = b.example_id AND c.session_id = $4 WHERE b.session_id = $5)
            """.formatted(ScoreSql.difference("c.score", "b.score"));
    private static final String EXTENT = PAIRS
            + """
                    SELECT count(*) AS n, coalesce(min(difference), 0) AS min_difference, coalesce(max(difference), 0) AS max_difference,
                        coalesce(least(min(score), min(baseline)), 0) AS min_score,
                        coalesce(greatest(max(score), max(baseline)), 0) AS max_score
                    FROM pairs
                    """;
    private static final String COUNT = PAIRS
            + """
                    SELECT true AS is_difference, sign(difference)::int AS x, width_bucket(abs(difference), $6::float8[]) AS y, count(*) AS n
                    FROM pairs GROUP BY x, y
                    UNION ALL
                    SELECT false, width_bucket(baseline, $7::float8[]), width_bucket(score, $7::float8[]), count(*)
                    FROM pairs GROUP BY 2, 3
                    """;

    /** Returns the distribution; without pairs it has no bins. */
    Uni<ScoreDistribution> find(SqlConnection connection, UUID tenantId, DistributionQuery query) {
        return ScoreSql.withLargeQueryOptions(connection, () -> connection.preparedQuery(EXTENT)
                .execute(values(tenantId, query))
                .map(rows -> DistributionBins.of(query, extent(rows.iterator().next())))
                .chain(bins -> connection.preparedQuery(COUNT)
                        .execute(values(tenantId, query).addArrayOfDouble(bins.differenceEdges())
                                .addArrayOfDouble(bins.scoreEdges()))
                        .invoke(rows -> rows.forEach(row -> count(bins, row)))
                        .map(rows -> bins.toDistribution())));
    }

    private static Tuple values(UUID tenantId, DistributionQuery query) {
        return Tuple.tuple()
                .addUUID(tenantId)
                .addArrayOfUUID(new UUID[] { query.baseline(), query.experiment() })
                .addString(query.key())
                .addUUID(query.experiment())
                .addUUID(query.baseline());
    }

    private static DistributionBins.Extent extent(Row row) {
        return new DistributionBins.Extent(row.getLong("n"), row.getDouble("min_difference"), row.getDouble("max_difference"),
                row.getDouble("min_score"), row.getDouble("max_score"));
    }

    private static void count(DistributionBins bins, Row row) {
        if (row.getBoolean("is_difference")) {
            bins.addDifferences(row.getInteger("x"), row.getInteger("y"), row.getLong("n"));
        } else {
            bins.addScores(row.getInteger("x"), row.getInteger("y"), row.getLong("n"));
        }
    }
}
