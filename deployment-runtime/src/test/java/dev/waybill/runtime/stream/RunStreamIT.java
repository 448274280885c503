package dev.waybill.runtime.stream;

import dev.waybill.runtime.RuntimeSettings;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The same against what was packaged. */
@QuarkusIntegrationTest
@WithTestResource(RuntimeSettings.class)
class RunStreamIT extends RunStreamTest {
}
