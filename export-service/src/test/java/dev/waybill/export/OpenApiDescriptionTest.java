package dev.waybill.export;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.CommittedDescription;
import io.restassured.RestAssured;

@ExportServiceTest
class OpenApiDescriptionTest {

    @Test
    void theCommittedDescriptionIsCurrent() {
        CommittedDescription.of("export-service").assertIs(RestAssured.get("/q/openapi").asString());
    }
}
