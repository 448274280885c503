package dev.waybill.experiment.isolation;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.OpenApi;
import dev.waybill.common.testing.OpenApi.Operation;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.isolation.OperationCatalog.RequestTemplate;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/**
 * Threats T10 and T11: sends every operation with resources of the caller's workspace, of another workspace and with
 * unknown ids. The latter two must get equal responses, and data of other workspaces must not be returned or changed.
 * The operations come from the OpenAPI description, so new operations are included automatically.
 */
@QuarkusTest
class WorkspaceIsolationTest {

    private static final String UUIDS = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
    // Its token contains the workspace, so it needs no API key.
    private static final String LINKED_FILE = "/api/v1/public/attachments/{token}";
    private static final String TIMES = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z";
    private static final List<String> READ_OPERATIONS = List.of("/api/v1/runs/query", "/api/v1/runs/stats",
            "/api/v2/runs/query",
            "/api/v2/threads/query", "/api/v1/datasets/{dataset_id}/runs", "/api/v2/datasets/{dataset_id}/experiment-runs",
            "/api/v1/datasets/{dataset_id}/comparison");
    private static final List<String> BACKGROUND_TABLES = List.of("recent_changes", "run_summaries", "run_summary_changes",
            "run_summary_progress", "run_daily_summaries", "run_summary_days");
    private static final List<Integer> CONFLICT = List.of(409);

    private final OperationCatalog catalog = new OperationCatalog();

    @Test
    void catalogCoversEveryOperation() {
        // Given
        List<Operation> operations = operations();

        // Then
        assertThat(operations).filteredOn(operation -> catalog.of(operation).isEmpty())
                .as("These operations have a body and no entry in OperationCatalog. For each, add one request per member that"
                        + " can contain an id or a name: (own, target) -> json(\"POST\", path,"
                        + " Map.of(\"session_id\", target.get(\"session_id\"))). Add new kinds of resources to OwnedResources.")
                .isEmpty();
        assertThat(catalog.operations()).isSubsetOf(operations.stream().map(Operation::toString).toList());
    }

    /** The first request of each operation. */
    @TestFactory
    Stream<DynamicTest> resourcesOfOtherWorkspacesRespondLikeUnknownOnes() {
        return isolationTests(number -> number == 0);
    }

    /** Requests with ids in other members. */
    @TestFactory
    @Tag("full")
    Stream<DynamicTest> otherMembersOfRequestsRespondLikeUnknownOnes() {
        return isolationTests(number -> number > 0);
    }

    private Stream<DynamicTest> isolationTests(IntPredicate numbers) {
        OwnedResources other = OwnedResources.create();
        OwnedResources ownForReads = OwnedResources.create();
        return operations().stream().flatMap(operation -> {
            List<RequestTemplate> all = catalog.of(operation);
            boolean reads = operation.method().equals("GET") || READ_OPERATIONS.contains(operation.path());
            return IntStream.range(0, all.size()).filter(numbers).mapToObj(i -> DynamicTest.dynamicTest(operation + " #" + i,
                    () -> assertIsolated(all.get(i), reads ? ownForReads : OwnedResources.create(), other)));
        });
    }

    private static void assertIsolated(RequestTemplate template, OwnedResources own, OwnedResources other) {
        // Given
        OwnedResources unknown = OwnedResources.nonexistent(own.account());
        String before = rowsOf(other);
        ApiCall foreign = template.build(own, other);
        ApiCall random = template.build(own, unknown);

        // When
        Response toForeign = foreign.sendAs(own.account());
        Response toRandom = random.sendAs(own.account());
        Response toOwn = template.build(own, own).sendAs(own.account());

        // Then
        assertThat(normalized(toForeign, own, other)).as("response to %s", foreign)
                .isEqualTo(normalized(toRandom, own, unknown));
        assertThat(toForeign.statusCode()).as(toForeign.asString()).isLessThan(500);
        assertThat(rowsOf(other)).as("rows of the other workspace").isEqualTo(before);
        assertThat(toOwn.statusCode()).as("response to %s: %s", template.build(own, own), toOwn.asString())
                .matches(status -> status < 400 || CONFLICT.contains(status), "success, or a conflict");
        if (!foreign.toString().equals(random.toString()) && foreign.method().equals("GET")) {
            assertThat(normalized(toOwn, own, own)).as("own resources are returned")
                    .isNotEqualTo(normalized(toRandom, own, unknown));
        }
        other.texts().forEach((name, text) -> assertThat(foreign.toString().contains(text)
                || !toForeign.asString().contains(text)).as("%s shown in %s", name, toForeign.asString()).isTrue());
    }

    @TestFactory
    Stream<DynamicTest> tenantHeaderGrantsNoAccessToOtherWorkspaces() {
        OwnedResources other = OwnedResources.create();
        OwnedResources own = OwnedResources.nonexistent(Accounts.account().create());
        return operations().stream().filter(operation -> !operation.path().equals("/api/v1/info"))
                .map(operation -> DynamicTest.dynamicTest(operation.toString(), () -> {
                    // Given
                    ApiCall call = catalog.of(operation).getFirst().build(other, other);
                    UUID unknown = UUID.randomUUID();

                    // When
                    Response foreign = call.send(as(own.account()).header("X-Tenant-Id", other.account().workspaceId()));
                    Response random = call.send(as(own.account()).header("X-Tenant-Id", unknown));

                    // Then
                    assertThat(foreign.statusCode()).as(foreign.asString()).isEqualTo(403);
                    assertThat(normalized(foreign, own, other)).isEqualTo(normalized(random, own, other));
                }));
    }

    /** Row-level security hides rows of other workspaces in every table, without a condition on the workspace. */
    @Test
    void rowLevelSecurityProtectsEveryTable() throws Exception {
        // Given
        OwnedResources own = OwnedResources.create();
        OwnedResources.create();
        List<String> tables = tables();
        assertThat(tables).contains("runs", "sessions", "datasets", "examples", "feedback", "attachments");

        for (String table : tables) {
            try (var connection = Rows.asService()) {
                connection.setAutoCommit(false);
                Rows.value(connection, "SELECT set_config('waybill.tenant_id', ?, true)",
                        own.account().workspaceId().toString());

                // When
                String foreign = Rows.value(connection, "SELECT count(*) FROM trace." + table + " WHERE tenant_id <> ?",
                        own.account().workspaceId());
                String changed = Rows.value(connection,
                        "UPDATE trace." + table + " SET tenant_id = tenant_id WHERE tenant_id <> ?",
                        own.account().workspaceId());

                // Then
                assertThat(foreign).as(table).isEqualTo("0");
                assertThat(changed).as(table).isEqualTo("0");
            }
        }
        for (String table : List.of("runs", "sessions", "datasets", "examples", "feedback", "attachments")) {
            assertThat(Rows.count("SELECT count(*) FROM trace." + table + " WHERE tenant_id <> ?",
                    own.account().workspaceId())).as(table).isPositive();
        }
    }

    private static List<Operation> operations() {
        return OpenApi.of("experiment-service").operations().stream()
                .filter(operation -> !operation.path().equals(LINKED_FILE))
                .toList();
    }

    /** Returns the response without parts that differ between requests. */
    private static String normalized(Response response, OwnedResources own, OwnedResources target) {
        String result = response.statusCode() + " " + response.asString();
        for (Map<String, String> texts : List.of(target.texts(), own.texts())) {
            for (Map.Entry<String, String> text : texts.entrySet()) {
                result = result.replace(text.getValue(), "<" + text.getKey() + ">");
            }
        }
        return result.replaceAll("\"request_id\":\"[^\"]*\"", "")
                .replaceAll(UUIDS, "<id>")
                .replaceAll(TIMES, "<time>")
                .replaceAll("external-dataset-[0-9a-f]{8}", "<name>");
    }

    private static String rowsOf(OwnedResources resources) {
        String digests = tables().stream().filter(table -> !BACKGROUND_TABLES.contains(table))
                .map(table -> "SELECT '" + table
                        + "' AS name, md5(string_agg(t::text, ' ' ORDER BY t::text)) AS digest FROM trace."
                        + table + " t WHERE tenant_id = '" + resources.account().workspaceId() + "'")
                .collect(Collectors.joining(" UNION ALL "));
        return Rows.value("SELECT string_agg(name || ' ' || digest, ', ' ORDER BY name) FROM (" + digests + ") tables");
    }

    /** Returns all tables with a tenant_id except that of idempotency keys. */
    private static List<String> tables() {
        return List.of(Rows.value("""
                SELECT string_agg(c.relname, ',' ORDER BY c.relname) FROM pg_class c
                JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
                WHERE c.relnamespace = 'trace'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
                    AND c.relname <> 'idempotency_keys'
                """).split(","));
    }
}
