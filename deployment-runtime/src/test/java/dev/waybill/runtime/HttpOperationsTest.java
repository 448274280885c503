package dev.waybill.runtime;

import dev.waybill.common.testing.HttpOperationsChecks;

@RuntimeTest
class HttpOperationsTest extends HttpOperationsChecks {

    @Override
    protected String module() {
        return "deployment-runtime";
    }
}
