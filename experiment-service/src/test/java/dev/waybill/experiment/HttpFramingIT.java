package dev.waybill.experiment;

import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.HttpFramingChecks;
import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class HttpFramingIT extends HttpFramingChecks {

    private final String key = Accounts.account().create().key();

    @Override
    protected String module() {
        return "experiment-service";
    }

    @Override
    protected String path() {
        return "/api/v1/sessions";
    }

    @Override
    protected String key() {
        return key;
    }
}
