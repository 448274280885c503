package dev.waybill.controlplane.account;

import java.util.Objects;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.account.Plan;
import dev.waybill.common.database.Rows;
import dev.waybill.controlplane.account.WorkspaceLimitConfig.PlanLimits;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads the limits of workspaces. */
@Singleton
public class WorkspaceLimitService {

    private static final String PLAN = """
            SELECT o.plan
            FROM account.workspaces AS w
            JOIN account.organizations AS o ON o.id = w.organization_id
            WHERE w.id = $1
            """;
    // Weaker than FOR UPDATE, so that rows that reference the workspace can be inserted concurrently.
    private static final String LOCK = PLAN + " FOR NO KEY UPDATE OF w";

    private final WorkspaceLimitConfig config;

    WorkspaceLimitService(WorkspaceLimitConfig config) {
        this.config = config;
    }

    /**
     * Returns the limits and locks the workspace against concurrent creations, so that counts stay valid in the
     * transaction.
     */
    public Uni<WorkspaceLimits> lock(SqlConnection connection, UUID tenantId) {
        return find(connection, LOCK, tenantId);
    }

    /** Returns the limits of a workspace. */
    public Uni<WorkspaceLimits> find(SqlConnection connection, UUID tenantId) {
        return find(connection, PLAN, tenantId);
    }

    /** Returns the limits of a plan, for callers that already hold the lock. */
    public WorkspaceLimits of(Plan plan) {
        return new WorkspaceLimits(plan, limitsOf(plan));
    }

    private Uni<WorkspaceLimits> find(SqlConnection connection, String query, UUID tenantId) {
        return connection.preparedQuery(query)
                .execute(Tuple.of(tenantId))
                .map(rows -> Rows.findFirst(rows, row -> Plan.parse(row.getString("plan"))).orElse(Plan.FREE))
                .map(this::of);
    }

    private PlanLimits limitsOf(Plan plan) {
        return Objects.requireNonNull(config.plans().get(plan), () -> "waybill.limits." + plan + " is not configured");
    }
}
