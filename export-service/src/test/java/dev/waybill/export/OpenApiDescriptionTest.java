package dev.waybill.export;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.CommittedDescription;
import dev.waybill.common.testing.Management;

@ExportServiceTest
class OpenApiDescriptionTest {

    @Test
    void committedDescriptionIsCurrent() {
        CommittedDescription.of("export-service").assertIs(Management.get("/q/openapi"));
    }
}
