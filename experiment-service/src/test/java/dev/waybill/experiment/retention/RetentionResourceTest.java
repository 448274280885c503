package dev.waybill.experiment.retention;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;

/** The service under test has no retention of its own; {@link RetentionTest} covers configured ones. */
@QuarkusTest
class RetentionResourceTest {

    private final Account account = Accounts.account().create();

    @Test
    void countsProjectsAndExperimentsByTier() {
        // Given
        session("shortlived", null);
        session("longlived", null);
        session(null, null);
        session("shortlived", dataset());

        // When
        JsonPath body = tiers(account);

        // Then
        assertThat(body.getList("tiers.trace_tier")).containsExactly("shortlived", "longlived");
        assertThat(body.getList("tiers.is_default")).containsExactly(false, true);
        assertThat(body.getList("tiers.retention_seconds")).containsExactly(null, null);
        assertThat(body.getList("tiers.project_count")).containsExactly(1, 2);
        assertThat(body.getList("tiers.experiment_count")).containsExactly(1, 0);
    }

    @Test
    void membersReadTheirOwnWorkspaceOnly() {
        // Given
        session("shortlived", null);
        Account member = Accounts.account().inWorkspaceOf(account).role("member").create();

        // When / Then
        assertThat(tiers(member).getList("tiers.project_count")).containsExactly(1, 0);
        assertThat(tiers(Accounts.account().create()).getList("tiers.project_count")).containsExactly(0, 0);
    }

    @Test
    void membersChangeTheTierOfASession() {
        // Given
        String id = session(null, null);
        Account member = Accounts.account().inWorkspaceOf(account).role("member").create();

        // When
        as(member).contentType("application/json").body("{\"trace_tier\": \"shortlived\"}").patch("/sessions/" + id)
                .then().statusCode(200).body("trace_tier", equalTo("shortlived"));

        // Then
        as(account).get("/sessions/" + id).then().body("trace_tier", equalTo("shortlived"));
        as(account).contentType("application/json").body("{\"trace_tier\": null, \"description\": \"d\"}")
                .patch("/sessions/" + id).then().body("trace_tier", equalTo("shortlived"));
        as(account).contentType("application/json").body("{\"trace_tier\": \"forever\"}").patch("/sessions/" + id)
                .then().statusCode(422).body("errors.loc.flatten()", equalTo(List.of("trace_tier")));
    }

    @Test
    void otherWorkspacesCannotChangeTheTier() {
        // Given
        String id = session(null, null);

        // When / Then
        as(Accounts.account().create()).contentType("application/json").body("{\"trace_tier\": \"shortlived\"}")
                .patch("/sessions/" + id).then().statusCode(404);
        as(account).get("/sessions/" + id).then().body("trace_tier", equalTo("longlived"));
    }

    @Test
    void sessionsAreListedByTier() {
        // Given
        String shortlived = session("shortlived", null);
        session("longlived", null);

        // When / Then
        as(account).get("/sessions?trace_tier=shortlived").then().statusCode(200).header("X-Pagination-Total", "1")
                .body("id", contains(shortlived));
        as(account).get("/sessions?trace_tier=forever").then().statusCode(422)
                .body("detail", equalTo("trace_tier must be longlived or shortlived."));
    }

    private JsonPath tiers(Account caller) {
        return as(caller).get("/api/v1/retention").then().statusCode(200).extract().jsonPath();
    }

    private String session(String tier, String dataset) {
        Map<String, Object> body = new HashMap<>(Map.of("name", UUID.randomUUID().toString()));
        body.put("trace_tier", tier);
        body.put("reference_dataset_id", dataset);
        return as(account).contentType("application/json").body(body).post("/sessions").then().statusCode(200)
                .extract().path("id");
    }

    private String dataset() {
        return as(account).contentType("application/json").body("{\"name\": \"d\"}").post("/datasets").then().statusCode(200)
                .extract().path("id");
    }
}
