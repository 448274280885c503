package dev.waybill.export;

import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.EveryOperationContract;

@ExportServiceTest
class EveryOperationTest extends EveryOperationContract {

    EveryOperationTest() {
        super(Set.of("GET /api/v1/bulk-exports/receipt-keys/{tenant_id}"), Set.of(), "export");
    }

    @Override
    protected String authenticatedPath() {
        return "/api/v1/bulk-exports";
    }

    @Test
    void missingRoleIsRejectedBeforeBodiesAreRead() {
        String member = Accounts.account().role("member").create().key();

        access().assertRejectionComesFirst("a member's key", Map.of("X-Api-Key", member));
    }

    @Test
    void planWithoutExportIsRejectedBeforeBodiesAreRead() {
        String free = Accounts.account().plan("free").create().key();

        access().assertRejectsEverywhere("a key of the plan free", Map.of("X-Api-Key", free), 403);
    }
}
