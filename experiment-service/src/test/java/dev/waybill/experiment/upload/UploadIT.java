package dev.waybill.experiment.upload;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The same against what was packaged. */
@QuarkusIntegrationTest
class UploadIT extends UploadTest {
}
