package dev.waybill.experiment.run;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestForm;
import dev.waybill.experiment.TestRun;
import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
class PartitionsTest {

    private static final String PARTITION_OF = "SELECT tableoid::regclass::text FROM trace.runs WHERE id = ?";

    private final Account account = Accounts.account().create();

    @Inject
    TraceTransaction transactions;

    @Test
    void createsThisMonthAndTheNextTwo() {
        // When
        await(transactions.createPartitionsAhead());

        // Then
        assertThat(Rows.count("SELECT count(*) FROM generate_series(0, 2) AS ahead WHERE to_regclass('trace.runs_'"
                + " || to_char(date_trunc('month', now() AT TIME ZONE 'UTC') + ahead * interval '1 month', 'YYYY_MM'))"
                + " IS NOT NULL")).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({ "1999-12-31T23:59:59.999999Z, trace.runs_before_2022", "2021-12-31T23:59:59.999999Z, trace.runs_before_2022",
            "2022-01-01T00:00:00.000000Z, trace.runs_2022_01", "2024-02-29T23:59:59.999999Z, trace.runs_2024_02",
            "2031-03-31T23:59:59.999999Z, trace.runs_2031_03", "2035-12-31T23:59:59.999999Z, trace.runs_2035_12",
            "2036-01-01T00:00:00.000000Z, trace.runs_from_2036", "9999-12-31T23:59:59.999999Z, trace.runs_from_2036" })
    void storesRunsOfAnyTime(String startTime, String partition) {
        // Given
        TestRun run = TestRun.root().with("start_time", startTime).without("end_time");

        // When
        send(run);

        // Then
        assertThat(Rows.value(PARTITION_OF, run.id())).isEqualTo(partition);
        as(account).get("/runs/" + run.id()).then().statusCode(200).body("start_time", equalTo(startTime));
    }

    @Test
    void concurrentFirstWritersOfAMonthSucceed() throws Exception {
        // Given
        List<TestRun> runs = Stream.generate(() -> TestRun.root().with("start_time", "2033-05-17T00:00:00Z"))
                .limit(24).toList();
        List<Callable<Integer>> requests = runs.stream()
                .<Callable<Integer>> map(run -> () -> status(TestForm.of(run)))
                .toList();

        // When
        List<Future<Integer>> responses;
        try (ExecutorService threads = Executors.newFixedThreadPool(12)) {
            responses = threads.invokeAll(requests);
        }

        // Then
        assertThat(responses).extracting(Future::get).containsOnly(202);
        assertThat(Rows.count("SELECT count(*) FROM trace.runs_2033_05 WHERE tenant_id = ?", account.workspaceId()))
                .isEqualTo(24);
    }

    @Test
    void storesABatchWithRunsOfManyMonths() {
        // Given
        List<TestRun> runs = Stream.of("2032-01", "2032-02", "2022-11", "2032-01", "1970-01")
                .map(month -> TestRun.root().with("start_time", month + "-03T00:00:00Z"))
                .toList();

        // When
        assertThat(status(TestForm.of(runs.toArray(TestRun[]::new)))).isEqualTo(202);

        // Then
        assertThat(runs).extracting(run -> Rows.value(PARTITION_OF, run.id())).containsExactly("trace.runs_2032_01",
                "trace.runs_2032_02", "trace.runs_2022_11", "trace.runs_2032_01", "trace.runs_before_2022");
    }

    @Test
    void storesARunOnceForSeveralStartTimes() {
        // Given
        TestRun run = TestRun.root();
        send(run);

        // When
        send(run.with("start_time", "2032-08-01T00:00:00Z"));

        // Then
        assertThat(Rows.value("SELECT string_agg(start_time::text, ',') FROM trace.runs WHERE id = ?", run.id()))
                .startsWith("2026-11-20").doesNotContain(",");
    }

    @Test
    void patchMovesARunToAnotherMonth() {
        // Given
        TestRun run = TestRun.root().without("end_time", "outputs");
        send(run);

        // When
        patch(run, Map.of("start_time", "2031-10-01T00:00:00Z"));
        patch(run, Map.of("outputs", Map.of("moved", true), "end_time", "2031-10-01T00:00:01Z"));

        // Then
        assertThat(Rows.value(PARTITION_OF, run.id())).isEqualTo("trace.runs_2031_10");
        assertThat(Rows.count("SELECT count(*) FROM trace.runs JOIN trace.run_places USING (tenant_id, session_id, start_time,"
                + " id) WHERE id = ? AND status = 'success'", run.id())).isEqualTo(1);
        as(account).get("/runs/" + run.id()).then().statusCode(200).body("start_time", equalTo("2031-10-01T00:00:00.000000Z"))
                .body("outputs.moved", equalTo(true))
                .body("inputs.question", equalTo("why?"));
    }

    @Test
    void earlyPatchMovesARunToAnotherMonth() {
        // Given
        TestRun run = TestRun.root();
        patch(run, Map.of("start_time", "2031-12-01T00:00:00Z"));

        // When
        send(run);

        // Then
        assertThat(Rows.value(PARTITION_OF, run.id())).isEqualTo("trace.runs_2031_12");
        assertThat(Rows.value("SELECT start_time FROM trace.run_places WHERE id = ?", run.id())).startsWith("2031-12-01");
    }

    @Test
    void partitionsHaveRowSecurityAndNoDirectGrants() {
        // Given
        send(TestRun.root());

        // When
        String open = Rows
                .value("""
                        SELECT string_agg(concat_ws(' ', c.relname, c.relrowsecurity, c.relforcerowsecurity, p.polname, c.relowner::regrole,
                            has_table_privilege('waybill_export', c.oid, 'SELECT'), x.indexes), ',')
                        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                        LEFT JOIN pg_policy p ON p.polrelid = c.oid
                        CROSS JOIN LATERAL (SELECT count(*) AS indexes FROM pg_index WHERE indrelid = c.oid) AS x
                        WHERE i.inhparent = 'trace.runs'::regclass
                            AND (NOT c.relrowsecurity OR NOT c.relforcerowsecurity OR p.polname IS NULL
                                OR c.relowner <> 'waybill_experiment'::regrole
                        OR x.indexes <> (SELECT count(*) FROM pg_index WHERE indrelid = i.inhparent)
                                OR has_table_privilege('waybill_export', c.oid, 'SELECT'))
                        """);

        // Then
        assertThat(open).isNull();
        assertThat(Rows.count("SELECT count(*) FROM pg_inherits WHERE inhparent = 'trace.runs'::regclass"))
                .isGreaterThanOrEqualTo(3);
        assertThat(Rows.value("SELECT has_table_privilege('waybill_export', 'trace.runs', 'SELECT')")).isEqualTo("t");
    }

    private void send(TestRun run) {
        assertThat(status(TestForm.of(run))).isEqualTo(202);
    }

    private void patch(TestRun run, Map<String, Object> change) {
        as(account).contentType("application/json").body(TestRun.json(change)).patch("/runs/" + run.id()).then()
                .statusCode(202);
    }

    private int status(TestForm form) {
        return as(account).contentType(TestForm.TYPE).body(form.bytes()).post("/runs/multipart").statusCode();
    }
}
