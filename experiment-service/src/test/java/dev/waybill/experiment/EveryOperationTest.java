package dev.waybill.experiment;

import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.EveryOperationContract;
import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
class EveryOperationTest extends EveryOperationContract {

    EveryOperationTest() {
        super(Set.of("GET /api/v1/info", "GET /api/v1/public/attachments/{token}"), Set.of("POST /api/v1/otel/v1/traces"),
                "trace");
    }

    @Override
    protected String authenticatedPath() {
        return "/api/v1/sessions";
    }

    @Test
    void applicationKeysAreRejectedBeforeBodiesAreRead() {
        String application = Accounts.account().role("application").create().key();

        access().assertRejectionComesFirst("an application's key", Map.of("X-Api-Key", application));
    }
}
