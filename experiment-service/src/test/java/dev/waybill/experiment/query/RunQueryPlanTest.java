package dev.waybill.experiment.query;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.filter.FilterParser;
import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.RawHttpResponse;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestForm;
import dev.waybill.experiment.TestRun;
import dev.waybill.experiment.run.RunField;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Tuple;

/** Query plans use an index and read no more runs than a page needs. */
@QuarkusTest
class RunQueryPlanTest {

    private static final int LIMIT = 5;
    private static final int RUNS = 60;

    private final Account account = Accounts.account().create();

    @Test
    void pageOfASessionReadsOnlyItsRuns() throws Exception {
        // Given
        List<UUID> sessions = List.of(store("one"), store("other"));
        Rows.value("ANALYZE trace.runs");

        for (boolean descending : new boolean[] { true, false }) {
            for (Optional<RunCursor.RunKey> after : List.of(Optional.<RunCursor.RunKey> empty(), Optional.of(
                    new RunCursor.RunKey(Instant.parse("2026-11-20T08:00:00.123456Z"), new UUID(descending ? -1 : 0, 0))))) {
                // When
                JsonNode plan = explain(new RunQueryParser.RunQuery(ofSessions(sessions), descending, LIMIT,
                        EnumSet.of(RunField.ID, RunField.INPUTS), after));

                // Then
                List<JsonNode> scans = scansOfRuns(plan);
                assertThat(scans).as(plan.toPrettyString()).isNotEmpty()
                        .allSatisfy(scan -> assertThat(scan.path("Index Cond").asText()).contains("tenant_id"));
                assertThat(rowsRead(scans)).as(plan.toPrettyString()).isBetween(2L * LIMIT, 2L * (LIMIT + 1) + LIMIT);
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> eachLookupConditionUsesAnIndex() {
        UUID unknownId = UUID.randomUUID();
        RunQueryParser.Conditions none = ofSessions(List.of());
        Map<String, RunQueryParser.Conditions> conditionsByName = new LinkedHashMap<>();
        conditionsByName.put("id",
                new RunQueryParser.Conditions(none.sessions(), List.of(unknownId), null, null, List.of(), null, null, null,
                        null,
                        null, List.of(), null, null));
        conditionsByName.put("trace",
                new RunQueryParser.Conditions(none.sessions(), List.of(), unknownId, null, List.of(), null, null, null, null,
                        null, List.of(), null, null));
        conditionsByName.put("parent",
                new RunQueryParser.Conditions(none.sessions(), List.of(), null, unknownId, List.of(), null, null, null, null,
                        null, List.of(), null, null));
        conditionsByName.put("example",
                new RunQueryParser.Conditions(none.sessions(), List.of(), null, null, List.of(unknownId), null, null, null,
                        null, null, List.of(), null, null));
        return conditionsByName.entrySet().stream().map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> {
            // When
            JsonNode plan = explain(
                    new RunQueryParser.RunQuery(entry.getValue(), true, LIMIT, EnumSet.of(RunField.ID), Optional.empty()));

            // Then
            assertThat(scansOfRuns(plan)).as(plan.toPrettyString()).isNotEmpty()
                    .allSatisfy(scan -> assertThat(scan.path("Index Cond").asText()).contains("tenant_id"));
        }));
    }

    @Test
    void runsOfAThreadAreFoundByTheirIndex() throws Exception {
        // Given
        UUID session = store("threads");
        as(account).contentType("application/json").body(TestRun.root().with("session_name", "threads")
                .with("extra", Map.of("metadata", Map.of("thread_id", "one"))).json()).post("/runs").then().statusCode(202);
        Rows.value("ANALYZE trace.runs");
        RunQueryParser.Conditions of = ofSessions(List.of(session));

        // When
        JsonNode plan = explain(new RunQueryParser.RunQuery(
                new RunQueryParser.Conditions(of.sessions(), List.of(), null, null, List.of(), null, true, null,
                        null, null, List.of(FilterParser.parse("eq(thread_id, \"one\")")), null, null),
                true, LIMIT,
                EnumSet.of(RunField.ID), Optional.empty()));

        // Then
        assertThat(plan.findValuesAsText("Index Name")).as(plan.toPrettyString()).anyMatch(name -> name.contains("thread_id"));
        assertThat(rowsRead(scansOfRuns(plan))).as(plan.toPrettyString()).isLessThanOrEqualTo(4);
    }

    private static RunQueryParser.Conditions ofSessions(List<UUID> sessions) {
        return new RunQueryParser.Conditions(sessions, List.of(), null, null, List.of(), null, null, null, null, null,
                List.of(), null,
                null);
    }

    private UUID store(String session) {
        TestForm form = TestForm.of(IntStream.range(0, RUNS)
                .mapToObj(i -> TestRun.root().with("session_name", session))
                .toArray(TestRun[]::new));
        assertThat(RawHttpResponse.postForm(account, null, form.bytes()).status()).isEqualTo(202);
        return UUID.fromString(as(account).get("/sessions?name=" + session).path("[0].id"));
    }

    // Uses the settings of the service and disables sequential and bitmap scans, which PostgreSQL prefers for small
    // tables.
    private JsonNode explain(RunQueryParser.RunQuery query) throws SQLException, JsonProcessingException {
        RunQueryStatement statement = RunQueryStatement.of(account.workspaceId(), query, 1 << 20);
        try (Connection connection = Rows.asService()) {
            connection.setAutoCommit(false);
            Rows.value(connection, """
                    SELECT set_config('waybill.tenant_id', ?, true), set_config('enable_sort', 'off', true),
                        set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)
                    """, account.workspaceId().toString());
            return new ObjectMapper().readTree(Rows.value(connection,
                    "EXPLAIN (ANALYZE, FORMAT JSON) " + withLiterals(statement)));
        }
    }

    private static String withLiterals(RunQueryStatement statement) {
        String text = statement.text();
        Tuple values = statement.values();
        for (int i = values.size(); i > 0; i--) {
            text = text.replace("$" + i + "::", "'" + literal(values.getValue(i - 1)) + "'::");
        }
        return text;
    }

    private static String literal(Object value) {
        return switch (value) {
            case Object[] array -> Arrays.stream(array).map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
            case OffsetDateTime time -> time.toString();
            default -> String.valueOf(value);
        };
    }

    private static List<JsonNode> scansOfRuns(JsonNode plan) {
        List<JsonNode> scans = new ArrayList<>();
        plan.findParents("Relation Name").stream()
                .filter(node -> node.get("Relation Name").textValue().startsWith("runs"))
                .forEach(scans::add);
        return scans;
    }

    private static long rowsRead(List<JsonNode> scans) {
        return Math.round(scans.stream()
                .mapToDouble(scan -> (scan.get("Actual Rows").asDouble() + scan.path("Rows Removed by Filter").asDouble())
                        * scan.get("Actual Loops").asDouble())
                .sum());
    }
}
