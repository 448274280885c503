package dev.waybill.controlplane;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The same against what was packaged: every request that is wrong is refused there, too. */
@QuarkusIntegrationTest
class MalformedRequestsIT extends MalformedRequestsTest {
}
