package dev.waybill.export.verification;

import org.junit.jupiter.api.Tag;

import dev.waybill.common.testing.PostgresResource;
import dev.waybill.common.testing.S3Resource;
import dev.waybill.export.ExportSettings;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusIntegrationTest;

/** Runs the same tests against the packaged service. */
@QuarkusIntegrationTest
@WithTestResource(value = PostgresResource.class, initArgs = {
        @ResourceArg(name = "role", value = "waybill_export"),
        @ResourceArg(name = "migrated", value = "control-plane,experiment-service") })
@WithTestResource(S3Resource.class)
@WithTestResource(ExportSettings.class)
@Tag("full")
class ReceiptIT extends ReceiptTest {
}
