package dev.waybill.experiment.query;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.api.trace.RunStatsByTimeResponse.RunStatsBucket;
import dev.waybill.common.api.trace.RunStatsResponse;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.experiment.run.RunField;
import dev.waybill.experiment.summary.RandomRuns;
import dev.waybill.experiment.summary.RunSummaryReader;

/** Statistics by time from summaries equal those of all runs, which the same snapshot reads. */
class SummarizedRunStatsTest {

    private static final RecursiveComparisonConfiguration COMPARISON = RecursiveComparisonConfiguration.builder()
            .withComparatorForType(BigDecimal::compareTo, BigDecimal.class)
            .withEqualsForType((actual, expected) -> Math.abs(actual - expected) <= 1e-9 * (1 + Math.abs(expected)),
                    Double.class)
            .build();
    private static final List<BucketWidth> WIDTHS = List.of(BucketWidth.ONE_HOUR, BucketWidth.SIX_HOURS, BucketWidth.ONE_DAY);
    private static final Instant LAST = RandomRuns.START.plus(30, ChronoUnit.DAYS);

    private final RunStatsByTimeRepository statistics = new RunStatsByTimeRepository(new RunSummaryReader(new Blocking()));

    @Test
    @Tag("full")
    void bucketsEqualThoseOfAllRunsAfterRandomChanges() throws SQLException {
        compareBucketsAfterChanges(6);
    }

    @Tag("full")
    @Tag("long")
    @Test
    void bucketsEqualThoseOfAllRunsAfterManyChanges() throws SQLException {
        compareBucketsAfterChanges(30);
    }

    private void compareBucketsAfterChanges(int rounds) throws SQLException {
        try (RandomRuns runs = new RandomRuns(20261130)) {
            int summarized = 0;
            for (int round = 0; round < rounds; round++) {
                // When
                for (int i = 0; i < 15; i++) {
                    runs.change();
                }
                if (round % 3 > 0) {
                    runs.summarizeSome();
                }

                // Then
                Instant from = runs.randomHour().plusSeconds(round % 2 == 0 ? 0 : 600);
                summarized += compare(runs, Map.of());
                summarized += compare(runs, Map.of("is_root", "true"));
                summarized += compare(runs, Map.of("start_time", from.toString()));
                summarized += compare(runs,
                        Map.of("end_time", from.plusSeconds(10_800).toString(), "start_time", from.toString()));
            }
            assertThat(summarized).isPositive();
        }
    }

    @Test
    void statisticsEqualThoseOfAllRunsAfterRandomChanges() throws SQLException {
        compareTotalsAfterChanges(6);
    }

    @Tag("full")
    @Tag("long")
    @Test
    void statisticsEqualThoseOfAllRunsAfterManyChanges() throws SQLException {
        compareTotalsAfterChanges(30);
    }

    private static void compareTotalsAfterChanges(int rounds) throws SQLException {
        try (RandomRuns runs = new RandomRuns(20261201)) {
            for (int round = 0; round < rounds; round++) {
                // When
                for (int i = 0; i < 15; i++) {
                    runs.change();
                }
                if (round % 3 > 0) {
                    runs.summarizeSome();
                }

                // Then
                Instant from = runs.randomHour().plusSeconds(round % 2 == 0 ? 0 : 600);
                compareTotals(runs, null, null, null);
                compareTotals(runs, true, null, null);
                compareTotals(runs, null, from, null);
                compareTotals(runs, true, null, from);
            }
        }
    }

    @Test
    void filtersAndNarrowBucketsReadTheRuns() {
        UUID session = UUID.randomUUID();
        assertThat(RunStatsByTimeQuery.parse(session, Map.of()).canUseSummaries(BucketWidth.ONE_HOUR)).isTrue();
        assertThat(RunStatsByTimeQuery.parse(session, Map.of()).canUseSummaries(BucketWidth.THIRTY_MINUTES)).isFalse();
        for (Map<String, String> parameters : List.of(Map.of("is_root", "false"), Map.of("run_type", "llm"),
                Map.of("error", "true"),
                Map.of("query", "word"), Map.of("filter", "eq(run_type, \"llm\")"))) {
            assertThat(RunStatsByTimeQuery.parse(session, parameters).canUseSummaries(BucketWidth.ONE_DAY)).isFalse();
        }
    }

    private static void compareTotals(RandomRuns runs, Boolean root, Instant from, Instant to) {
        RunStatsRepository repository = new RunStatsRepository(new RunSummaryReader(new Blocking()));
        for (UUID tenant : runs.tenants()) {
            for (UUID session : runs.sessions()) {
                RunQueryParser.Conditions conditions = new RunQueryParser.Conditions(List.of(session), List.of(), null, null,
                        List.of(), null, root, null, from, to, List.of(), null, null);
                RunQueryParser.RunQuery query = new RunQueryParser.RunQuery(conditions, true, 1, EnumSet.of(RunField.ID),
                        Optional.empty());
                List<RunStatsResponse> both = await(runs.database().inWorkspaceSnapshot(tenant,
                        connection -> repository.find(connection, tenant, query)
                                .chain(actual -> repository.findExact(connection, tenant, query)
                                        .map(expected -> List.of(actual, expected)))));
                assertThat(both.getFirst()).usingRecursiveComparison(COMPARISON).isEqualTo(both.getLast());
            }
        }
    }

    /** Returns the number of sessions whose statistics are from summaries. */
    private int compare(RandomRuns runs, Map<String, String> conditions) {
        int summarized = 0;
        for (UUID tenant : runs.tenants()) {
            for (UUID session : runs.sessions()) {
                Map<String, String> parameters = new HashMap<>(conditions);
                RunStatsByTimeQuery query = RunStatsByTimeQuery.parse(session, parameters);
                Instant start = query.from() == null ? RandomRuns.START.minus(1, ChronoUnit.DAYS) : query.from();
                BucketWidth width = WIDTHS.get(runs.sessions().indexOf(session));
                RunStatsStatement exact = RunStatsStatement.byTime(tenant,
                        query.runs(tenant, start, query.to() == null ? LAST : query.to()), width);
                List<Map<Long, RunStatsBucket>> both = await(runs.database().inWorkspaceSnapshot(tenant,
                        connection -> statistics.findSummarized(connection, tenant, query, width)
                                .chain(actual -> statistics.find(connection, exact, width)
                                        .map(expected -> List.of(actual, expected)))));
                if (!both.getFirst().isEmpty()) {
                    summarized++;
                    assertThat(both.getFirst()).usingRecursiveComparison(COMPARISON).isEqualTo(both.getLast());
                }
            }
        }
        return summarized;
    }
}
