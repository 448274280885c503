package dev.waybill.common.filter;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.waybill.common.testing.TestDatabase;

/** For services that filter: stored runs, filters over them, and what a plain look at the runs finds. */
public final class FilterProbe {

    /** The day on which all runs started. */
    public static final Instant DAY = SampleRuns.DAY;

    private final Random random;
    private final List<SampleRun> runs;

    private FilterProbe(Random random, List<SampleRun> runs) {
        this.random = random;
        this.runs = runs;
    }

    /** Puts some runs into a session that is there. */
    public static FilterProbe store(UUID tenantId, UUID sessionId, String sessionName, long seed) {
        Random random = new Random(seed);
        List<SampleRun> runs = new SampleRuns(random).some(100).stream()
                .map(run -> run.in(tenantId, sessionId, sessionName))
                .toList();
        try (Connection connection = TestDatabase.get().superuser()) {
            FilteredRuns.insert(connection, runs);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return new FilterProbe(random, runs);
    }

    /** Filters as users write them. */
    public static Stream<String> writtenFilters() {
        return GoodFilters.written();
    }

    /** Filters of everything that the language has, written. */
    public List<String> randomFilters(int count) {
        RandomFilters filters = new RandomFilters(random);
        return IntStream.range(0, count).mapToObj(_ -> FilterPrinter.print(filters.next())).toList();
    }

    /** The ids of the runs that the filter holds of. */
    public Set<String> find(String written) {
        Filter filter = FilterParser.parse(written);
        return runs.stream()
                .filter(run -> new PlainEvaluator(run).holds(filter))
                .map(run -> run.id().toString())
                .collect(Collectors.toSet());
    }

    /** How many runs there are. */
    public int size() {
        return runs.size();
    }
}
