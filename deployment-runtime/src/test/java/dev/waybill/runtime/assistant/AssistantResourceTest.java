package dev.waybill.runtime.assistant;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.RuntimeTest;
import io.restassured.RestAssured;

@RuntimeTest
class AssistantResourceTest {

    /** The UUIDv5 of "agent" in the namespace that other servers use; must never change. */
    private static final String AGENT = "fe096781-5601-53d2-b2f6-0d3403f7e9ca";

    private final Caller caller = Caller.authorized();

    @Test
    void assistantsAreGraphsWithIdsFromTheirNames() {
        caller.post("/assistants/search", "{\"metadata\": {\"created_by\": \"system\"}}").then()
                .statusCode(200)
                .header("X-Pagination-Total", equalTo("6"))
                .body("graph_id", contains("agent", "langgraph", "misbehaving", "threads", "threads-own", "tickets"))
                .body("[0].assistant_id", equalTo(AGENT))
                .body("[0].description", equalTo("Echoes."))
                .body("[0].metadata.created_by", equalTo("system"));
    }

    @Test
    void searchFiltersAssistants() {
        caller.post("/assistants/search", "{\"graph_id\": \"misbehaving\"}").then().body("name", contains("misbehaving"));
        caller.post("/assistants/search", "{\"name\": \"AGEN\", \"metadata\": {\"created_by\": \"system\"}}").then()
                .body("name", contains("agent"));
        caller.post("/assistants/search", "{\"limit\": 1, \"offset\": 1, \"metadata\": {\"created_by\": \"system\"}}").then()
                .body("name", contains("langgraph"));
        caller.post("/assistants/search", "{\"metadata\": {\"created_by\": \"user\"}}").then().body("size()", equalTo(0));
        caller.post("/assistants/count", "{\"metadata\": {\"created_by\": \"system\"}}").then().body(equalTo("6"));
    }

    @Test
    void assistantIsReadByIdOrName() {
        caller.get("/assistants/" + AGENT).then().statusCode(200).body("name", equalTo("agent"));
        caller.get("/assistants/agent").then().statusCode(200).body("assistant_id", equalTo(AGENT));
        caller.get("/assistants/nobody").then().statusCode(404).body("detail", containsString("agent, langgraph, misbehaving"));
    }

    @Test
    void schemasAreReportedByWorker() {
        Patience.await().until(() -> caller.get("/assistants/agent/schemas").statusCode() == 200);

        caller.get("/assistants/agent/schemas").then()
                .body("graph_id", equalTo("agent"))
                .body("input_schema.properties.messages.type", equalTo("array"))
                .body("context_schema", nullValue());
    }

    @Test
    void okAndInfoNeedNoKey() {
        RestAssured.get("/ok").then().statusCode(200).body("ok", equalTo(true));
        RestAssured.get("/info").then().statusCode(200).body("version", notNullValue()).body("flags.assistants", equalTo(true));
        RestAssured.get("/assistants/agent").then().statusCode(401);
        Patience.await().until(() -> RestAssured.get("/q/health/ready").statusCode() == 200);
    }
}
