package dev.waybill.export.job;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import io.restassured.response.Response;

/** Limits of organizations and workspaces. */
@ExportServiceTest
class BulkExportLimitsTest {

    private static final String PATH = "/api/v1/bulk-exports";
    private static final Duration DAY = Duration.ofDays(1);

    private Exports exports;

    @BeforeEach
    void open() {
        exports = Exports.create();
    }

    @Test
    void unfinishedExportLimitReturns429PerWorkspace() {
        // Given: the maximum number of exports, none of which has a worker.
        Traces.execute("""
                INSERT INTO export.bulk_exports (tenant_id, id, destination_id, session_id, start_time, end_time, key_prefix,
                    format, format_version, compression, status, started_at, lease_until)
                SELECT ?, gen_random_uuid(), ?, ?, '2026-01-01', '2026-01-02', '', 'Parquet', 'v1', 'gzip', 'Running', now(),
                    now() + interval '1 hour'
                FROM generate_series(1, 100)
                """, exports.tenantId(), exports.destinationId(), exports.sessionId());

        // When
        Response refused = exports.post(exports.order(MONDAY, MONDAY.plus(DAY), ""));

        // Then
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).isEqualTo("60");
        assertThat((String) refused.path("detail")).contains("100 exports").contains("cancel");
        assertThat(exports.client().get(PATH).jsonPath().getList("")).hasSize(100);
        Exports.create().complete(MONDAY, MONDAY.plus(DAY), "");
        Traces.execute("DELETE FROM export.bulk_exports WHERE tenant_id = ?", exports.tenantId());
    }

    @Test
    void planDowngradeBlocksNewExportsOnly() {
        // Given: a running export that is blocked until the plan is downgraded.
        UUID id = exports.complete(MONDAY, MONDAY.plus(DAY), "");
        Traces.execute("UPDATE export.runs SET state = 'Created', finished_at = NULL,"
                + " next_attempt_at = now() + interval '1 hour' WHERE export_id = ?", id);
        Traces.execute("UPDATE export.bulk_exports SET status = 'Running', finished_at = NULL WHERE id = ?", id);
        Account account = exports.client().account();
        Traces.execute("UPDATE account.organizations SET plan = 'free' WHERE id = ?", account.organizationId());

        // When: with a key that is not cached.
        Client withoutPlan = Client.as(Accounts.account().inWorkspaceOf(account).create());
        Response created = withoutPlan.post(PATH, exports.order(MONDAY, MONDAY.plus(DAY), ""));
        Traces.execute("UPDATE export.runs SET next_attempt_at = now() WHERE export_id = ?", id);

        // Then
        assertThat(created.statusCode()).isEqualTo(403);
        assertThat((String) created.path("detail")).contains("plus or enterprise");
        exports.awaitStatus(id, "Completed");
    }
}
