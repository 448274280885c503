package dev.waybill.experiment.isolation;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.OpenApi;
import dev.waybill.common.testing.OpenApi.Operation;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.isolation.OperationCatalog.Way;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/**
 * Threats T10 and T11: every operation there is, with what is mine, what is another workspace's and what is nobody's. The
 * latter
 * two are answered alike, whatever names them, and nothing of the others is shown or changed. Operations are taken from the
 * description, so that a new one is among them by itself.
 */
@QuarkusTest
class WorkspaceIsolationTest {

    private static final String UUIDS = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
    // Its token says itself whose file it is, and needs no key.
    private static final String LINKED_FILE = "/api/v1/public/attachments/{token}";
    private static final String TIMES = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z";
    private static final List<String> READING = List.of("/api/v1/runs/query", "/api/v1/runs/stats", "/api/v2/runs/query",
            "/api/v2/threads/query", "/api/v1/datasets/{dataset_id}/runs", "/api/v2/datasets/{dataset_id}/experiment-runs",
            "/api/v1/datasets/{dataset_id}/comparison");
    private static final List<Integer> TAKEN = List.of(409);

    private final OperationCatalog ways = new OperationCatalog();

    @Test
    void everyOperationIsWalkedAndEveryRecipeIsOfOne() {
        // Given
        List<Operation> operations = operations();

        // Then
        assertThat(operations).filteredOn(operation -> ways.of(operation).isEmpty())
                .as("These operations take a body, and the walk does not know how a workspace's things are named in it. Add to Ways,"
                        + " for each, one way for every member that can hold an id or a name: (mine, asked) -> json(\"POST\", path,"
                        + " Map.of(\"session_id\", asked.get(\"session_id\"))). What a workspace has is in Belongings; add to it"
                        + " what is new.")
                .isEmpty();
        assertThat(ways.known()).isSubsetOf(operations.stream().map(Operation::toString).toList());
    }

    @TestFactory
    Stream<DynamicTest> whatIsForeignLooksLikeWhatIsNobodys() {
        OwnedResources theirs = OwnedResources.create();
        OwnedResources toBeRead = OwnedResources.create();
        return operations().stream().flatMap(operation -> {
            List<Way> all = ways.of(operation);
            boolean reads = operation.method().equals("GET") || READING.contains(operation.path());
            return IntStream.range(0, all.size()).mapToObj(i -> DynamicTest.dynamicTest(operation + " #" + i,
                    () -> walk(all.get(i), reads ? toBeRead : OwnedResources.create(), theirs)));
        });
    }

    private static void walk(Way way, OwnedResources mine, OwnedResources theirs) {
        // Given
        OwnedResources nobodys = OwnedResources.ofNobody(mine.account());
        String before = rowsOf(theirs);
        ApiCall foreign = way.ask(mine, theirs);
        ApiCall random = way.ask(mine, nobodys);

        // When
        Response toForeign = foreign.by(mine.account());
        Response toRandom = random.by(mine.account());
        Response toMine = way.ask(mine, mine).by(mine.account());

        // Then
        assertThat(neutral(toForeign, mine, theirs)).as("answer to %s", foreign).isEqualTo(neutral(toRandom, mine, nobodys));
        assertThat(toForeign.statusCode()).as(toForeign.asString()).isLessThan(500);
        assertThat(rowsOf(theirs)).as("rows of the others").isEqualTo(before);
        assertThat(toMine.statusCode()).as("answer to %s: %s", way.ask(mine, mine), toMine.asString())
                .matches(status -> status < 400 || TAKEN.contains(status), "in order, or taken already");
        if (!foreign.toString().equals(random.toString()) && foreign.method().equals("GET")) {
            assertThat(neutral(toMine, mine, mine)).as("what is mine is shown").isNotEqualTo(neutral(toRandom, mine, nobodys));
        }
        theirs.texts().forEach((name, text) -> assertThat(foreign.toString().contains(text)
                || !toForeign.asString().contains(text)).as("%s shown in %s", name, toForeign.asString()).isTrue());
    }

    @TestFactory
    Stream<DynamicTest> theHeaderOpensNoOtherWorkspace() {
        OwnedResources theirs = OwnedResources.create();
        OwnedResources mine = OwnedResources.ofNobody(Accounts.account().create());
        return operations().stream().filter(operation -> !operation.path().equals("/api/v1/info"))
                .map(operation -> DynamicTest.dynamicTest(operation.toString(), () -> {
                    // Given
                    ApiCall ask = ways.of(operation).getFirst().ask(theirs, theirs);
                    UUID nobodys = UUID.randomUUID();

                    // When
                    Response foreign = ask.send(as(mine.account()).header("X-Tenant-Id", theirs.account().workspaceId()));
                    Response random = ask.send(as(mine.account()).header("X-Tenant-Id", nobodys));

                    // Then
                    assertThat(foreign.statusCode()).as(foreign.asString()).isEqualTo(403);
                    assertThat(neutral(foreign, mine, theirs)).isEqualTo(neutral(random, mine, theirs));
                }));
    }

    /** The second wall: without any condition on the workspace there is nothing foreign, in whatever table. */
    @Test
    void theSecondWallStandsAloneInEveryTable() throws Exception {
        // Given
        OwnedResources mine = OwnedResources.create();
        OwnedResources.create();
        List<String> tables = tables();
        assertThat(tables).contains("runs", "sessions", "datasets", "examples", "feedback", "attachments");

        for (String table : tables) {
            try (var connection = Rows.asService()) {
                connection.setAutoCommit(false);
                Rows.value(connection, "SELECT set_config('waybill.tenant_id', ?, true)",
                        mine.account().workspaceId().toString());

                // When
                String foreign = Rows.value(connection, "SELECT count(*) FROM trace." + table + " WHERE tenant_id <> ?",
                        mine.account().workspaceId());
                String changed = Rows.value(connection,
                        "UPDATE trace." + table + " SET tenant_id = tenant_id WHERE tenant_id <> ?",
                        mine.account().workspaceId());

                // Then
                assertThat(foreign).as(table).isEqualTo("0");
                assertThat(changed).as(table).isEqualTo("0");
            }
        }
        for (String table : List.of("runs", "sessions", "datasets", "examples", "feedback", "attachments")) {
            assertThat(Rows.count("SELECT count(*) FROM trace." + table + " WHERE tenant_id <> ?",
                    mine.account().workspaceId())).as(table).isPositive();
        }
    }

    private static List<Operation> operations() {
        return OpenApi.of("experiment-service").operations().stream()
                .filter(operation -> !operation.path().equals(LINKED_FILE))
                .toList();
    }

    /** What an answer says, without what differs from request to request anyway. */
    private static String neutral(Response answer, OwnedResources mine, OwnedResources asked) {
        String told = answer.statusCode() + " " + answer.asString();
        for (Map<String, String> texts : List.of(asked.texts(), mine.texts())) {
            for (Map.Entry<String, String> text : texts.entrySet()) {
                told = told.replace(text.getValue(), "<" + text.getKey() + ">");
            }
        }
        return told.replaceAll("\"request_id\":\"[^\"]*\"", "")
                .replaceAll(UUIDS, "<id>")
                .replaceAll(TIMES, "<time>")
                .replaceAll("external-dataset-[0-9a-f]{8}", "<name>");
    }

    private static String rowsOf(OwnedResources belongings) {
        String digests = tables().stream()
                .map(table -> "SELECT '" + table
                        + "' AS name, md5(string_agg(t::text, ' ' ORDER BY t::text)) AS digest FROM trace."
                        + table + " t WHERE tenant_id = '" + belongings.account().workspaceId() + "'")
                .collect(Collectors.joining(" UNION ALL "));
        return Rows.value("SELECT string_agg(name || ' ' || digest, ', ' ORDER BY name) FROM (" + digests + ") tables");
    }

    /** All that hold rows of workspaces, but what is remembered of requests. */
    private static List<String> tables() {
        return List.of(Rows.value("""
                SELECT string_agg(c.relname, ',' ORDER BY c.relname) FROM pg_class c
                JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
                WHERE c.relnamespace = 'trace'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
                    AND c.relname <> 'idempotency_keys'
                """).split(","));
    }
}
