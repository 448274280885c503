package dev.waybill.experiment.dataset;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.TestRun;
import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
class DatasetListTest {

    private final Account account = Accounts.account().create();

    @Test
    void filtersByTypeAndMetadata() {
        // Given
        create(Map.of("name", "plain"));
        create(Map.of("name", "support", "data_type", "chat", "extra",
                Map.of("source", "sdk", "metadata", Map.of("team", "support", "n", 1))));

        // When / Then
        assertThat(names("data_type", "chat")).containsExactly("support");
        assertThat(names("data_type", "kv")).containsExactly("plain");
        assertThat(names("metadata", "{\"team\": \"support\"}")).containsExactly("support");
        assertThat(names("metadata", "{\"team\": \"support\", \"n\": 2}")).isEmpty();
        assertThat(names("metadata", "{\"team\": null}")).containsExactly("plain");
        as(account).get("/api/v1/datasets?name=support").then()
                .body("[0].metadata", equalTo(Map.of("team", "support", "n", 1)));
    }

    @Test
    void returns422ForAnUnknownType() {
        as(account).get("/api/v1/datasets?data_type=image").then().statusCode(422)
                .body("errors[0].loc", equalTo(List.of("data_type")));
    }

    private void create(Map<String, Object> dataset) {
        as(account).contentType("application/json").body(TestRun.json(dataset)).post("/api/v1/datasets").then()
                .statusCode(200);
    }

    private List<String> names(String parameter, String value) {
        return as(account).queryParam(parameter, value).get("/api/v1/datasets").jsonPath().getList("name");
    }
}
