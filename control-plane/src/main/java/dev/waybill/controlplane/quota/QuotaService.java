package dev.waybill.controlplane.quota;

import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.security.Plan;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowIterator;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Tells features that create what a workspace may have. */
@Singleton
public class QuotaService {

    private static final String PLAN = """
            SELECT o.plan
            FROM account.workspaces AS w
            JOIN account.organizations AS o ON o.id = w.organization_id
            WHERE w.id = $1
            """;
    // Weaker than what deleting takes, so that rows which refer to the workspace can be inserted meanwhile.
    private static final String LOCK = PLAN + " FOR NO KEY UPDATE OF w";

    private final QuotaConfig config;

    QuotaService(QuotaConfig config) {
        this.config = config;
    }

    /** The limits of a workspace in which nobody else creates before this transaction ends, so that what is counted holds. */
    public Uni<Quota> lock(SqlConnection connection, UUID tenantId) {
        return find(connection, LOCK, tenantId);
    }

    /** The limits of a workspace. */
    public Uni<Quota> find(SqlConnection connection, UUID tenantId) {
        return find(connection, PLAN, tenantId);
    }

    /** The limits of a plan, for who holds the lock. */
    public Quota of(Plan plan) {
        return new Quota(plan, config.of(plan));
    }

    private Uni<Quota> find(SqlConnection connection, String query, UUID tenantId) {
        return connection.preparedQuery(query)
                .execute(Tuple.of(tenantId))
                .map(rows -> plan(rows.iterator()))
                .map(this::of);
    }

    private static Plan plan(RowIterator<Row> rows) {
        return rows.hasNext() ? Plan.parse(rows.next().getString("plan")) : Plan.FREE;
    }
}
