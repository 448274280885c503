package dev.waybill.export;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.OpenApi;
import dev.waybill.common.testing.OpenApi.Operation;
import dev.waybill.common.testing.OpenApi.Parameter;
import dev.waybill.common.testing.RawHttp;
import dev.waybill.common.testing.RawHttp.Response;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;

/**
 * Threat T10: calls every endpoint of the OpenAPI description with own, foreign and unknown ids, and with every way to select a
 * workspace. New endpoints are included automatically.
 */
@ExportServiceTest
class TenantMatrixTest {

    private static final List<String> IDS = List.of("id", "export_id", "run_id", "source_bulk_export_id",
            "bulk_export_destination_id", "session_id", "verification_id");
    /** Operations whose responses are public. */
    private static final Set<String> PUBLIC = Set.of("GET /api/v1/bulk-exports/receipt-keys/{tenant_id}");

    private OpenApi api;
    private RawHttp http;
    private Account wide;
    private Map<String, String> own;
    private Map<String, String> foreign;
    private Account mine;
    private Account theirs;

    @TestFactory
    Stream<DynamicTest> everyEndpointIsolatesWorkspaces() {
        prepare();
        List<Operation> operations = api.operations();
        assertThat(operations).hasSizeGreaterThanOrEqualTo(11);
        // Deletes run last, because other operations require the resources.
        return operations.stream()
                .filter(operation -> !PUBLIC.contains(operation.toString()))
                .sorted(Comparator.comparing(operation -> operation.method().equals("DELETE")))
                .map(operation -> DynamicTest.dynamicTest(operation.toString(), () -> check(operation)));
    }

    private void prepare() {
        api = OpenApi.of("export-service");
        http = new RawHttp(URI.create("http://localhost:" + RestAssured.port));
        mine = Accounts.account().create();
        theirs = Accounts.account().create();
        wide = Accounts.account().inOrganizationOf(mine).organizationWide().create();
        own = ids(mine);
        foreign = ids(theirs);
    }

    private void check(Operation operation) {
        assertForeignIdsLookUnknown(operation);

        Response otherOrganization = send(operation, own, mine.key(), foreign.get("tenant_id"));
        assertThat(otherOrganization.status()).as(otherOrganization.body()).isEqualTo(403);
        Response wideToOther = send(operation, own, wide.key(), foreign.get("tenant_id"));
        assertThat(wideToOther.status()).as(wideToOther.body()).isEqualTo(403);
        Response toUnknownWorkspace = send(operation, own, mine.key(), UUID.randomUUID().toString());
        assertThat(comparable(toUnknownWorkspace)).as("an unknown workspace").isEqualTo(comparable(otherOrganization));
        Response wideWithout = send(operation, own, wide.key(), null);
        assertThat(wideWithout.status()).as(wideWithout.body()).isEqualTo(403);
        assertThat(JsonPath.from(wideWithout.body()).getString("type")).endsWith("org_scoped_key_requires_workspace");
        assertThat(send(operation, own, null, own.get("tenant_id")).status()).isEqualTo(401);

        Response right = send(operation, own, mine.key(), null);
        assertThat(right.status()).as(right.body()).isNotIn(401, 403, 404, 405, 415).isLessThan(500);
        IDS.forEach(name -> assertThat(right.body()).doesNotContain(foreign.get(name)));
        assertThat(right.body()).doesNotContain(foreign.get("tenant_id"));
        if (!operation.method().equals("DELETE")) {
            Response wideRight = send(operation, own, wide.key(), own.get("tenant_id"));
            assertThat(wideRight.status()).as(wideRight.body()).isNotIn(401, 403, 404).isLessThan(500);
        }
    }

    private void assertForeignIdsLookUnknown(Operation operation) {
        for (String name : IDS) {
            Map<String, String> withForeign = with(name, foreign.get(name));
            if (!request(operation, withForeign).equals(request(operation, own))) {
                String unknown = UUID.randomUUID().toString();
                Response toForeign = send(operation, withForeign, mine.key(), null);
                Response toUnknown = send(operation, with(name, unknown), mine.key(), null);
                assertThat(toForeign.status()).as("%s of another workspace: %s", name, toForeign.body()).isEqualTo(404);
                assertThat(comparable(toForeign).replace(foreign.get(name), "ID"))
                        .isEqualTo(comparable(toUnknown).replace(unknown, "ID"));
            }
        }
    }

    private Map<String, String> with(String name, String value) {
        Map<String, String> values = new HashMap<>(own);
        values.put(name, value);
        return values;
    }

    private Response send(Operation operation, Map<String, String> values, @Nullable String key, @Nullable String tenantId) {
        Map<String, String> headers = new HashMap<>();
        if (key != null) {
            headers.put("X-Api-Key", key);
        }
        if (tenantId != null) {
            headers.put("X-Tenant-Id", tenantId);
        }
        Request request = request(operation, values);
        if (request.body() != null) {
            headers.put("Content-Type", "application/json");
        }
        return http.send(operation.method(), request.path(), headers,
                request.body() == null ? null : request.body().getBytes(StandardCharsets.UTF_8));
    }

    private Request request(Operation operation, Map<String, String> values) {
        String path = operation.path();
        StringBuilder query = new StringBuilder();
        for (Parameter parameter : operation.parameters()) {
            if (parameter.in().equals("path") || parameter.required()) {
                assertThat(values).as("the test requires a value for %s of %s", parameter.name(), operation)
                        .containsKey(parameter.name());
            }
            path = path.replace("{" + parameter.name() + "}", values.getOrDefault(parameter.name(), ""));
            if (parameter.in().equals("query") && parameter.required()) {
                query.append(query.isEmpty() ? "?" : "&").append(parameter.name()).append('=')
                        .append(values.get(parameter.name()));
            }
        }
        JsonNode body = operation.takesJson()
                ? api.sample("", operation.bodies().get("application/json"), values)
                : null;
        return new Request(path + query, body == null ? null : body.toString());
    }

    private static Map<String, String> ids(Account account) {
        Exports exports = Exports.create(account);
        UUID export = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");
        Map<String, String> ids = new HashMap<>(Map.of(
                "tenant_id", account.workspaceId().toString(),
                "id", exports.destinationId().toString(),
                "export_id", export.toString(),
                "run_id", exports.client().runs(export).path("[0].id"),
                "verification_id", exports.client().post(Client.EXPORTS + "/" + export + "/verify").path("id"),
                "source_bulk_export_id", export.toString(),
                "bulk_export_destination_id", exports.destinationId().toString(),
                "session_id", exports.sessionId().toString(),
                "start_time", MONDAY.toString(),
                "end_time", MONDAY.plusSeconds(1).toString()));
        ids.putAll(Bucket.members(exports.prefix()));
        return ids;
    }

    /** Returns the response without members that differ between requests. */
    private static String comparable(Response answer) {
        return answer.status() + answer.body().replaceAll("\"request_id\" ?: ?\"[^\"]*\"", "")
                .replaceAll("\"instance\" ?: ?\"[^\"]*\"", "");
    }

    private record Request(String path, @Nullable String body) {
    }
}
