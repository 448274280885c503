package dev.waybill.export;

import dev.waybill.common.testing.HttpOperationsChecks;

@ExportServiceTest
class HttpOperationsTest extends HttpOperationsChecks {

    @Override
    protected String module() {
        return "export-service";
    }
}
