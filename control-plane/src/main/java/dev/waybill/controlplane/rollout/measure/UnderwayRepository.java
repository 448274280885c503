package dev.waybill.controlplane.rollout.measure;

import jakarta.inject.Singleton;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Reads how rollouts stand; the index of what is under way is as small as that. */
@Singleton
class UnderwayRepository {

    private static final String UNDERWAY = """
            SELECT count(*) AS revisions, coalesce(extract(epoch FROM max(clock_timestamp() - step_since)), 0)::float8 AS longest,
                (SELECT count(*) FROM deploy.deployments d
                    JOIN deploy.revisions a ON a.tenant_id = d.tenant_id AND a.id = d.active_revision_id
                    WHERE a.status = 'UNKNOWN') AS unknown
            FROM deploy.revisions
            WHERE status IN ('CREATING', 'QUEUED', 'AWAITING_BUILD', 'BUILDING', 'AWAITING_DEPLOY', 'DEPLOYING')
            """;

    Uni<Underway> read(SqlConnection everyWorkspace) {
        return everyWorkspace.preparedQuery(UNDERWAY)
                .execute()
                .map(rows -> rows.iterator().next())
                .map(row -> new Underway(row.getLong("revisions"), row.getDouble("longest"), row.getLong("unknown")));
    }
}
