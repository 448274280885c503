package dev.waybill.controlplane.audit;

import static dev.waybill.controlplane.ApiClient.as;

import java.util.List;
import java.util.UUID;

import dev.waybill.common.testing.Account;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.HttpResult;

/** Fixtures of stored events. */
final class AuditEvents {

    static final String PATH = "/v1/audit-events";

    private AuditEvents() {
    }

    /** Returns the ids of the requests of the caller's events that match. */
    static List<String> requests(Account caller, String query) {
        return as(caller).get(PATH + query).list("items.request_id", String.class);
    }

    /** Sends a request that is refused with 422; returns its id. */
    static String refused(Account caller) {
        return as(caller).post("/v1/api-keys", "{}").header("X-Request-Id");
    }

    /** Creates an API key with the caller's. */
    static HttpResult createKey(Account caller) {
        return as(caller).post("/v1/api-keys", "{\"name\": \"CI\", \"workspace_id\": \"" + caller.workspaceId() + "\"}");
    }

    /** Inserts events of the workspace, of which several have the same time. */
    static void insert(Account account, int count, String age) {
        DatabaseInspector.update("""
                INSERT INTO account.audit_events (id, organization_id, tenant_id, occurred_at, service, actor, method, path,
                    outcome, status, request_id)
                SELECT gen_random_uuid(), '%s', '%s', date_trunc('hour', now()) - interval '%s' - (number / 3) * interval '1 s',
                    'export-service', 'token', 'POST', '/', 'done', 200, number
                FROM generate_series(0, %s) AS number
                """.formatted(account.organizationId(), account.workspaceId(), age, count - 1));
    }

    static long count(UUID tenantId) {
        return DatabaseInspector.count("SELECT count(*) FROM account.audit_events WHERE tenant_id = '" + tenantId + "'");
    }
}
