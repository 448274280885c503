package dev.waybill.controlplane.rollout.metrics;

import jakarta.inject.Singleton;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Counts revisions in progress; a partial index contains only those. */
@Singleton
class InFlightRevisionsRepository {

    private static final String IN_FLIGHT = """
            SELECT count(*) AS revisions, coalesce(extract(epoch FROM max(clock_timestamp() - step_since)), 0)::float8 AS longest,
                (SELECT count(*) FROM deploy.deployments d
                    JOIN deploy.revisions a ON a.tenant_id = d.tenant_id AND a.id = d.active_revision_id
                    WHERE a.status = 'UNKNOWN') AS unknown
            FROM deploy.revisions
            WHERE status IN ('CREATING', 'QUEUED', 'AWAITING_BUILD', 'BUILDING', 'AWAITING_DEPLOY', 'DEPLOYING')
            """;

    Uni<InFlightRevisions> read(SqlConnection everyWorkspace) {
        return everyWorkspace.preparedQuery(IN_FLIGHT)
                .execute()
                .map(rows -> rows.iterator().next())
                .map(row -> new InFlightRevisions(row.getLong("revisions"), row.getDouble("longest"), row.getLong("unknown")));
    }
}
