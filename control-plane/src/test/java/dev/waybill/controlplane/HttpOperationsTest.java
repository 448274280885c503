package dev.waybill.controlplane;

import dev.waybill.common.testing.HttpOperationsChecks;
import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
class HttpOperationsTest extends HttpOperationsChecks {

    @Override
    protected String module() {
        return "control-plane";
    }
}
