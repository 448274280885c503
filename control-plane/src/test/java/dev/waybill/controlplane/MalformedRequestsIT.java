package dev.waybill.controlplane;

import org.junit.jupiter.api.Tag;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The same tests with the packaged service. */
@QuarkusIntegrationTest
@Tag("full")
class MalformedRequestsIT extends MalformedRequestsTest {
}
