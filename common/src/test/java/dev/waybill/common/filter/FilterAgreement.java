package dev.waybill.common.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.waybill.common.filter.DuckDbCondition.Bound;

/**
 * Compares the runs that PostgreSQL, DuckDB and {@link ReferenceEvaluator} select.
 *
 * @param runs all runs, which PostgreSQL and the relation {@code runs} of DuckDB contain
 * @param seed the seed of the filters, for failures
 */
record FilterAgreement(List<SampleRun> runs, FilteredRuns postgreSql, Connection duckDb, long seed) {

    /** The runs that match a filter, and those that DuckDB finds with its condition. */
    record Selection(Set<UUID> expected, DuckDbCondition condition, Set<UUID> found) {
    }

    /** Asserts that all select the same runs; empty if DuckDB does not support the filter. */
    Optional<Selection> require(Filter filter) throws Exception {
        String description = FilterPrinter.print(filter) + " seed " + seed;
        Set<UUID> expected = runs.stream().filter(run -> new ReferenceEvaluator(run).matches(filter)).map(SampleRun::id)
                .collect(Collectors.toSet());
        assertThat(postgreSql.selected(filter).entrySet().stream().filter(Map.Entry::getValue).map(Map.Entry::getKey))
                .as(description).containsExactlyInAnyOrderElementsOf(expected);
        // Files of earlier releases have no latencies, so conditions on them use other columns.
        require(filter, false, expected, description);
        return require(filter, true, expected, description);
    }

    private Optional<Selection> require(Filter filter, boolean hasLatency, Set<UUID> expected, String description) {
        Optional<DuckDbCondition> supported = DuckDbCondition.of(List.of(filter), hasLatency);
        if (supported.isEmpty()) {
            return Optional.empty();
        }
        Set<UUID> found = find(supported.get(), description);
        assertThat(found).as(description).containsAll(expected);
        if (supported.get().isExact()) {
            assertThat(found).as(description).isEqualTo(expected);
        }
        DuckDbCondition lower = new DuckDbConditions(hasLatency).of(filter, Bound.LOWER);
        assertThat(expected).as(description).containsAll(find(lower, description));
        return Optional.of(new Selection(expected, supported.get(), found));
    }

    private Set<UUID> find(DuckDbCondition condition, String description) {
        Set<UUID> found = new HashSet<>();
        try (PreparedStatement select = duckDb.prepareStatement("SELECT id FROM runs WHERE " + condition.sql())) {
            for (int i = 0; i < condition.values().size(); i++) {
                select.setObject(i + 1, condition.values().get(i));
            }
            try (ResultSet result = select.executeQuery()) {
                while (result.next()) {
                    found.add(UUID.fromString(result.getString(1)));
                }
            }
        } catch (SQLException e) {
            throw new AssertionError(description, e);
        }
        return found;
    }
}
