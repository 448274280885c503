package dev.waybill.experiment;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.OpenApi;
import dev.waybill.common.testing.OpenApi.Operation;
import io.quarkus.test.junit.QuarkusTest;

/**
 * Lists reject unknown parameters, because an ignored filter would return unrequested rows. Lists come from the OpenAPI
 * description.
 */
@QuarkusTest
class UnknownParametersTest {

    private final Account account = Accounts.account().create();

    @Test
    void descriptionContainsLists() {
        assertThat(lists().map(Operation::path)).contains("/api/v1/sessions", "/api/v1/datasets", "/api/v1/examples",
                "/api/v1/feedback", "/api/v1/datasets/{dataset_id}/examples", "/api/v2/threads/{thread_id}/traces");
    }

    @TestFactory
    Stream<DynamicTest> everyListRejectsUnknownParameters() {
        return lists().map(list -> DynamicTest.dynamicTest(list.toString(), () -> as(account)
                .get(list.path().replaceAll("\\{[a-z_]+}", UUID.randomUUID().toString()) + "?colour=blue&size=1").then()
                .statusCode(422)
                .body("errors.loc", equalTo(List.of(List.of("colour"), List.of("size"))))
                .body("errors[0].message", containsString("is not supported; omit it"))));
    }

    private static Stream<Operation> lists() {
        return OpenApi.of("experiment-service").operations().stream()
                .filter(operation -> operation.method().equals("GET"))
                .filter(operation -> operation.parameters().stream()
                        .anyMatch(parameter -> List.of("limit", "page_size").contains(parameter.name())));
    }
}
