package dev.waybill.runtime;

import org.junit.jupiter.api.Tag;

import dev.waybill.common.testing.HttpFramingChecks;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
@WithTestResource(RuntimeSettings.class)
@Tag("full")
class HttpFramingIT extends HttpFramingChecks {

    @Override
    protected String module() {
        return "deployment-runtime";
    }

    @Override
    protected String path() {
        return "/runs/stream";
    }

    @Override
    protected String key() {
        return RuntimeSettings.KEY;
    }
}
