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

/** Stored runs, filters for them and the expected results, for tests of services that filter runs. */
public final class FilterSamples {

    /** The day on which all runs start. */
    public static final Instant DAY = SampleRuns.DAY;

    private final Random random;
    private final List<SampleRun> runs;

    private FilterSamples(Random random, List<SampleRun> runs) {
        this.random = random;
        this.runs = runs;
    }

    /** Stores runs in an existing session. */
    public static FilterSamples store(UUID tenantId, UUID sessionId, String sessionName, long seed) {
        Random random = new Random(seed);
        List<SampleRun> runs = new SampleRuns(random).some(100).stream()
                .map(run -> run.in(tenantId, sessionId, sessionName))
                .toList();
        try (Connection connection = TestDatabase.get().superuser()) {
            FilteredRuns.insert(connection, runs);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return new FilterSamples(random, runs);
    }

    /** Returns filters as users write them. */
    public static Stream<String> writtenFilters() {
        return ValidFilters.written();
    }

    /** Returns the text of random filters that use every part of the language. */
    public List<String> randomFilters(int count) {
        RandomFilters filters = new RandomFilters(random);
        return IntStream.range(0, count).mapToObj(_ -> FilterPrinter.print(filters.next())).toList();
    }

    /** Returns the ids of the runs that the filter matches. */
    public Set<String> find(String written) {
        Filter filter = FilterParser.parse(written);
        return runs.stream()
                .filter(run -> new ReferenceEvaluator(run).matches(filter))
                .map(run -> run.id().toString())
                .collect(Collectors.toSet());
    }

    /** Returns the number of runs. */
    public int size() {
        return runs.size();
    }
}
