package dev.waybill.experiment.upload;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** Runs the same tests against the packaged service. */
@QuarkusIntegrationTest
class UploadIT extends UploadTest {
}
