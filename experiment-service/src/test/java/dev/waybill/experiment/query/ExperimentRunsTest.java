package dev.waybill.experiment.query;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.TestRun;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Lists of examples with the runs of experiments, in both versions of the API. */
@QuarkusTest
class ExperimentRunsTest {

    private final Account account = Accounts.account().create();
    private final List<String> examples = new ArrayList<>();
    private String dataset;
    private String first;
    private String second;

    @BeforeEach
    void createTwoExperimentsOnThreeExamples() {
        dataset = create("datasets", Map.of("name", "d"));
        first = create("sessions", Map.of("name", "first", "reference_dataset_id", dataset));
        second = create("sessions", Map.of("name", "second", "reference_dataset_id", dataset));
        for (int i = 0; i < 3; i++) {
            examples.add(create("examples", Map.of("dataset_id", dataset, "inputs", Map.of("q", i))));
        }
        run("first", examples.get(0), "first on 0");
        run("first", examples.get(0), "first on 0 again");
        run("second", examples.get(0), "second on 0");
        run("first", examples.get(1), "first on 1");
    }

    @Test
    void everyExampleContainsItsRunsOfTheExperiments() {
        // When
        Response rows = query(Map.of("session_ids", List.of(first, second), "limit", 100, "offset", 0, "preview", false));

        // Then
        rows.then().statusCode(200).body("id", equalTo(examples.reversed()))
                .body("inputs.q", equalTo(List.of(2, 1, 0)))
                .body("[0].runs", hasSize(0))
                .body("[1].runs.name", equalTo(List.of("first on 1")))
                .body("[2].runs.name", containsInAnyOrder("first on 0", "first on 0 again", "second on 0"))
                .body("[1].runs[0].outputs.answer", equalTo("because"))
                .body("[1].runs[0].session_id", equalTo(first));
        query(Map.of("session_ids", List.of(second))).then().body("runs.flatten().name", equalTo(List.of("second on 0")));
        query(Map.of("session_ids", List.of(first), "limit", 1, "offset", 1)).then().body("id",
                equalTo(List.of(examples.get(1))));
    }

    @Test
    void previewsOmitDocuments() {
        Map<String, Object> run = query(Map.of("session_ids", List.of(first), "preview", true)).jsonPath()
                .getMap("[1].runs[0]");
        assertThat(run).doesNotContainKeys("inputs", "outputs", "events").containsEntry("outputs_preview",
                "because");
    }

    @Test
    void versionTwoSupportsSelectionAndPagination() {
        // Given
        Map<String, Object> request = new HashMap<>(Map.of("experiment_ids", List.of(first, second), "page_size", 2, "selects",
                List.of("NAME", "STATUS")));

        // When
        Response page = queryV2(request);
        request.put("cursor", page.path("next_cursor"));
        Response next = queryV2(request);

        // Then
        page.then().statusCode(200).body("items.id", equalTo(List.of(examples.get(2), examples.get(1))));
        next.then().statusCode(200).body("items.id", equalTo(List.of(examples.get(0)))).body("next_cursor", nullValue());
        assertThat(page.jsonPath().getList("items[1].runs"))
                .isEqualTo(List.of(Map.of("name", "first on 1", "status", "SUCCESS")));
        queryV2(Map.of("experiment_ids", List.of(first), "example_ids", List.of(examples.get(1)))).then()
                .body("items.id", equalTo(List.of(examples.get(1))));
    }

    @Test
    void returns422ForUnsupportedMembers() {
        query(Map.of("filters", Map.of(first, List.of("eq(name, \"x\")")), "comparative_experiment_id",
                UUID.randomUUID().toString(),
                "limit", 0)).then().statusCode(422)
                .body("errors.loc.flatten()",
                        containsInAnyOrder("filters", "comparative_experiment_id", "limit", "session_ids"));
        queryV2(Map.of("experiment_ids", List.of(first), "sort", Map.of("by", "x"), "selects", List.of("x"))).then()
                .statusCode(422)
                .body("errors.loc.flatten()", containsInAnyOrder("sort", "selects", 0));
        for (String cursor : List.of("x", "-1")) {
            queryV2(Map.of("experiment_ids", List.of(first), "cursor", cursor)).then().statusCode(422);
        }
    }

    @Test
    void returns404ForADatasetOfAnotherWorkspace() {
        Account stranger = Accounts.account().create();
        as(stranger).contentType("application/json").body(TestRun.json(Map.of("session_ids", List.of(first))))
                .post("/api/v1/datasets/" + dataset + "/runs").then().statusCode(404);
        as(stranger).contentType("application/json").body(TestRun.json(Map.of("experiment_ids", List.of(first))))
                .post("/api/v2/datasets/" + dataset + "/experiment-runs").then().statusCode(404);
    }

    private Response query(Map<String, Object> request) {
        return as(account).contentType("application/json").body(TestRun.json(request))
                .post("/api/v1/datasets/" + dataset + "/runs");
    }

    private Response queryV2(Map<String, Object> request) {
        return as(account).contentType("application/json").body(TestRun.json(request))
                .post("/api/v2/datasets/" + dataset + "/experiment-runs");
    }

    private String create(String what, Map<String, Object> body) {
        return as(account).contentType("application/json").body(TestRun.json(body)).post("/api/v1/" + what).path("id");
    }

    private void run(String session, String example, String name) {
        TestRun run = TestRun.root().with("session_name", session).with("reference_example_id", example).with("name", name);
        as(account).contentType("application/json").body(run.json()).post("/runs").then().statusCode(202);
    }
}
