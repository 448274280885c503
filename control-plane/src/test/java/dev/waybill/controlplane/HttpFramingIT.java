package dev.waybill.controlplane;

import org.junit.jupiter.api.Tag;

import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.HttpFramingChecks;
import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
@Tag("full")
class HttpFramingIT extends HttpFramingChecks {

    private final String key = Accounts.account().organizationWide().create().key();

    @Override
    protected String module() {
        return "control-plane";
    }

    @Override
    protected String path() {
        return "/v1/workspaces";
    }

    @Override
    protected String key() {
        return key;
    }
}
