package dev.waybill.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.AuditTrail;
import dev.waybill.common.testing.AuditWalk;
import dev.waybill.common.testing.OpenApi;
import io.restassured.RestAssured;

@RuntimeTest
class AuditLogTest {

    @Test
    void everyRequestThatMayChangeSomethingHasALineWhereTheLogIsSwitchedOn() {
        // Given
        OpenApi api = OpenApi.parse(RestAssured.get("/q/openapi?format=json").asString());

        // When / Then
        assertThat(new AuditWalk(URI.create("http://localhost:" + RestAssured.port), api, RuntimeSettings.KEY,
                Map.of("actor", "caller")).assertEveryChangeIsTold()).isGreaterThanOrEqualTo(7);
    }

    @Test
    void aStreamHasItsLineWhenItBegins() {
        String requestId = UUID.randomUUID().toString();
        try (AuditTrail trail = AuditTrail.listen()) {
            // When
            RestAssured.given().header("X-Api-Key", RuntimeSettings.KEY).header("X-Request-Id", requestId)
                    .contentType("application/json").body(Bodies.agent("hello"))
                    .post("/runs/stream").then().statusCode(200);

            // Then
            assertThat(trail.of(requestId)).singleElement().satisfies(line -> assertThat(line)
                    .containsEntry("route", "/runs/stream").containsEntry("outcome", "done").containsEntry("actor", "caller")
                    .containsKey("location"));
        }
    }
}
