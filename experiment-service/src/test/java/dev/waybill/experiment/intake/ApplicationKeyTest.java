package dev.waybill.experiment.intake;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.OpenApi;
import dev.waybill.common.testing.OpenApi.Operation;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestForm;
import dev.waybill.experiment.TestRun;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;

/** Threat T18: the key of a deployed application may only write traces. */
@QuarkusTest
class ApplicationKeyTest {

    private static final Set<String> ALLOWED = Set.of("POST /api/v1/runs", "PATCH /api/v1/runs/{run_id}",
            "POST /api/v1/runs/batch",
            "POST /api/v1/runs/multipart", "GET /api/v1/info", "GET /api/v1/public/attachments/{token}");

    private final Account account = Accounts.account().create();
    private final Account application = Accounts.account().inWorkspaceOf(account).role("application").create();

    @Test
    void storesTracesInTheKeysWorkspace() {
        // Given
        TestRun one = TestRun.root().with("session_name", "agent");
        TestRun other = TestRun.root().with("session_name", "agent");

        // When
        Response batch = as(application).contentType("application/json")
                .body(TestRun.json(Map.of("post", List.of(one.members())))).post("/runs/batch");
        Response form = as(application).contentType(TestForm.TYPE).body(TestForm.of(other).bytes()).post("/runs/multipart");
        Response change = as(application).contentType("application/json").body("{\"error\": \"late\"}")
                .patch("/runs/" + one.id());

        // Then
        assertThat(List.of(batch.statusCode(), form.statusCode(), change.statusCode())).containsOnly(202);
        assertThat(Rows.count("SELECT count(*) FROM trace.runs WHERE tenant_id = ? AND id = ANY(?)", account.workspaceId(),
                new UUID[] { one.id(), other.id() })).isEqualTo(2);
        as(account).get("/runs/" + one.id()).then().statusCode(200);
    }

    @Test
    void returns403ForAllOtherOperations() {
        // When / Then
        assertThat(operations()).filteredOn(operation -> !ALLOWED.contains(operation.toString())).isNotEmpty()
                .allSatisfy(operation -> assertThat(send(operation).statusCode()).as("%s", operation).isEqualTo(403));
        assertThat(operations()).extracting(Operation::toString).containsAll(ALLOWED);
    }

    private Response send(Operation operation) {
        RequestSpecification request = as(application);
        operation.bodies().keySet().stream().findFirst()
                .ifPresent(type -> request.contentType(type).body("{}".getBytes(StandardCharsets.UTF_8)));
        return request.request(operation.method(), operation.path().replaceAll("\\{[^}]*}", UUID.randomUUID().toString()));
    }

    private static List<Operation> operations() {
        return OpenApi.of("experiment-service").operations();
    }
}
