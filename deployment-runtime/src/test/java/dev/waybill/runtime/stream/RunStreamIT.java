package dev.waybill.runtime.stream;

import dev.waybill.runtime.RuntimeSettings;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusIntegrationTest;

/** Runs the same tests against the packaged service. */
@QuarkusIntegrationTest
@WithTestResource(RuntimeSettings.class)
class RunStreamIT extends RunStreamTest {
}
