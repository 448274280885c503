package dev.waybill.controlplane;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The same tests with the packaged service. */
@QuarkusIntegrationTest
class MalformedRequestsIT extends MalformedRequestsTest {
}
