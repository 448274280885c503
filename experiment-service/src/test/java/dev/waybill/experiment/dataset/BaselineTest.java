package dev.waybill.experiment.dataset;

import static dev.waybill.experiment.ApiClient.as;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.TestUpload;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;

/** A dataset stores the baseline and score directions for comparisons. */
@QuarkusTest
class BaselineTest {

    private final Account account = Accounts.account().create();
    private String dataset;
    private String experiment;

    @BeforeEach
    void uploadOne() {
        Response uploaded = upload(account);
        dataset = uploaded.path("dataset.id");
        experiment = uploaded.path("experiment.id");
    }

    @Test
    void updatesBaselineAndDirectionsIndependently() {
        // When
        patch(Map.of("baseline_experiment_id", experiment)).statusCode(200);
        patch(Map.of("higher_is_better", Map.of("answer_length", false, "odd.key\u0000", true))).statusCode(200);

        // Then
        as(account).get("/api/v1/datasets/" + dataset).then().statusCode(200)
                .body("baseline_experiment_id", equalTo(experiment))
                .body("higher_is_better", equalTo(Map.of("answer_length", false, "odd.key\u0000", true)));
        patch(Map.of("higher_is_better", Map.of())).statusCode(200).body("", not(hasKey("higher_is_better")))
                .body("baseline_experiment_id", equalTo(experiment));
    }

    @Test
    void rejectsABaselineOutsideTheDataset() {
        // Given
        String other = upload(account).path("experiment.id");
        String foreign = upload(Accounts.account().create()).path("experiment.id");

        // Then
        for (String id : List.of(other, foreign, UUID.randomUUID().toString())) {
            patch(Map.of("baseline_experiment_id", id)).statusCode(422)
                    .body("errors[0].loc", equalTo(List.of("baseline_experiment_id")))
                    .body("errors[0].message", equalTo("must be an experiment of this dataset"));
        }
        as(account).get("/api/v1/datasets/" + dataset).then().body("", not(hasKey("baseline_experiment_id")));
    }

    @Test
    void reportsAllViolations() {
        patch(Map.of("baseline_experiment_id", "x", "higher_is_better", Map.of("a", 1, "b", true, "c", "no")))
                .statusCode(422).body("errors", hasSize(3))
                .body("errors.find { it.loc == ['higher_is_better', 'c'] }.message", equalTo("must be true or false"));
    }

    @Test
    void deletedBaselineIsNotReturned() {
        // Given
        patch(Map.of("baseline_experiment_id", experiment)).statusCode(200);

        // When
        as(account).delete("/api/v1/sessions/" + experiment).then().statusCode(202);

        // Then
        as(account).get("/api/v1/datasets/" + dataset).then().body("", not(hasKey("baseline_experiment_id")));
    }

    @Test
    void returns404ForADatasetOfAnotherWorkspace() {
        // When
        Response response = as(Accounts.account().inOrganizationOf(account).create()).contentType("application/json")
                .body(Map.of("higher_is_better", Map.of("a", false))).patch("/api/v1/datasets/" + dataset);

        // Then
        response.then().statusCode(404);
        as(account).get("/api/v1/datasets/" + dataset).then().body("", not(hasKey("higher_is_better")));
    }

    private ValidatableResponse patch(Map<String, ?> body) {
        return as(account).contentType("application/json").body(body).patch("/api/v1/datasets/" + dataset).then();
    }

    private static Response upload(Account account) {
        return as(account).contentType("application/json").body(TestUpload.ofRows(1).json())
                .post("/api/v1/datasets/upload-experiment");
    }
}
