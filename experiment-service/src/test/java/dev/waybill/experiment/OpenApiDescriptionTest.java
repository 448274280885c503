package dev.waybill.experiment;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.CommittedDescription;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;

@QuarkusTest
class OpenApiDescriptionTest {

    @Test
    void theCommittedDescriptionIsCurrent() {
        CommittedDescription.of("experiment-service").assertIs(RestAssured.get("/q/openapi").asString());
    }
}
