package dev.waybill.export;

import org.junit.jupiter.api.Tag;

import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.HttpFramingChecks;
import dev.waybill.common.testing.PostgresResource;
import dev.waybill.common.testing.S3Resource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
@WithTestResource(value = PostgresResource.class, initArgs = {
        @ResourceArg(name = "role", value = "waybill_export"),
        @ResourceArg(name = "migrated", value = "control-plane,experiment-service") })
@WithTestResource(S3Resource.class)
@WithTestResource(ExportSettings.class)
@Tag("full")
class HttpFramingIT extends HttpFramingChecks {

    private final String key = Accounts.account().create().key();

    @Override
    protected String module() {
        return "export-service";
    }

    @Override
    protected String path() {
        return "/api/v1/bulk-exports";
    }

    @Override
    protected String key() {
        return key;
    }
}
