package dev.waybill.runtime;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.CommittedDescription;
import io.restassured.RestAssured;

@RuntimeTest
class OpenApiDescriptionTest {

    @Test
    void theCommittedDescriptionIsCurrent() {
        CommittedDescription.of("deployment-runtime").assertIs(RestAssured.get("/q/openapi").asString());
    }
}
