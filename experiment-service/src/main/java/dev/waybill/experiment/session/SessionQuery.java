package dev.waybill.experiment.session;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.filter.MetadataFilter;
import dev.waybill.common.filter.StoredJson;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.experiment.session.RunStatisticsRepository.RunStatistics;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Conditions, order and page of a list of sessions; null or empty means no condition.
 *
 * @param referenceFree whether to return only sessions without a dataset
 */
record SessionQuery(@Nullable String name, @Nullable String nameContains, List<UUID> referenceDatasets, List<UUID> ids,
        boolean referenceFree, @Nullable String traceTier, MetadataFilter metadata, SessionOrder order, boolean descending,
        PageParameters page) {

    private static final List<String> TRACE_TIERS = List.of("longlived", "shortlived");
    private static final String WHERE = """
             FROM trace.sessions WHERE tenant_id = $1
                AND ($2::text IS NULL OR name = $2)
                AND ($3::text IS NULL OR name ILIKE $3)
                AND (cardinality($4::uuid[]) = 0 OR reference_dataset_id = ANY($4))
                AND (cardinality($5::uuid[]) = 0 OR id = ANY($5))
                AND (NOT $6::boolean OR reference_dataset_id IS NULL)
                AND ($7::text IS NULL OR trace_tier = $7)
                AND {metadata}
            """.replace("{metadata}", MetadataFilter.sql(StoredJson.document("extra") + " -> 'metadata'", "$8", "$9"));

    SessionQuery {
        // PostgreSQL's text type cannot store U+0000, so no session can match.
        if (name != null && name.indexOf(0) >= 0 || nameContains != null && nameContains.indexOf(0) >= 0) {
            throw ProblemException.invalid(Violation.of("name", "must not contain U+0000", "invalid"));
        }
        if (traceTier != null && !TRACE_TIERS.contains(traceTier)) {
            throw ProblemException.invalid(Violation.of("trace_tier", "must be longlived or shortlived", "invalid"));
        }
    }

    /** Sort order of a list: by a column, or by a statistic of the runs of each session. */
    enum SessionOrder {
        START_TIME("start_time"),
        NAME("name"),
        LAST_RUN_START_TIME(RunStatistics::lastRunStartTime),
        LATENCY_P50(RunStatistics::latencyP50),
        LATENCY_P99(RunStatistics::latencyP99),
        ERROR_RATE(RunStatistics::errorRate),
        RUNS_COUNT(RunStatistics::runCount);

        private final String column;
        private final Function<RunStatistics, @Nullable Comparable<?>> statistic;

        SessionOrder(String column) {
            this.column = column;
            this.statistic = _ -> null;
        }

        SessionOrder(Function<RunStatistics, @Nullable Comparable<?>> statistic) {
            this.column = "";
            this.statistic = statistic;
        }

        static SessionOrder parse(@Nullable String text) {
            return Arrays.stream(values())
                    .filter(order -> order.toString().equals(text == null ? "start_time" : text))
                    .findFirst()
                    .orElseThrow(() -> ProblemException.invalid(Violation.of("sort_by", "must be one of "
                            + String.join(", ", Arrays.stream(values()).map(SessionOrder::toString).toList()), "invalid")));
        }

        /** Returns whether the order depends on runs, so that SQL cannot sort by it. */
        boolean isOfRuns() {
            return column.isEmpty();
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns the page of sessions in the order of their statistics; sessions without a value are last. */
    List<UUID> page(List<UUID> sessions, Map<UUID, RunStatistics> statistics) {
        // Ids are compared as PostgreSQL does, which Java's order of UUIDs differs from.
        Comparator<Ranked> byId = Comparator.comparing((Ranked ranked) -> ranked.id().getMostSignificantBits(),
                Long::compareUnsigned)
                .thenComparing(ranked -> ranked.id().getLeastSignificantBits(), Long::compareUnsigned);
        Comparator<Ranked> byValue = (first, second) -> compare(first.value(), second.value());
        return sessions.stream()
                .map(id -> new Ranked(id, order.statistic.apply(statistics.getOrDefault(id, RunStatistics.NO_RUNS))))
                .sorted(byValue.thenComparing(descending ? byId.reversed() : byId))
                .skip(page.offset())
                .limit(page.limit())
                .map(Ranked::id)
                .toList();
    }

    @SuppressWarnings("unchecked")
    private int compare(@Nullable Comparable<?> first, @Nullable Comparable<?> second) {
        if (first == null || second == null) {
            return Boolean.compare(first == null, second == null);
        }
        int ascending = ((Comparable<Object>) first).compareTo(second);
        return descending ? -ascending : ascending;
    }

    /** A session and the value by which it is sorted. */
    private record Ranked(UUID id, @Nullable Comparable<?> value) {
    }

    String where() {
        return WHERE;
    }

    String orderAndPage() {
        String direction = descending ? " DESC" : " ASC";
        return " ORDER BY " + order.column + direction + " NULLS LAST, id" + direction + " LIMIT " + page.limit()
                + " OFFSET " + page.offset();
    }

    Tuple values(UUID tenantId) {
        return Tuple.tuple()
                .addUUID(tenantId)
                .addString(name)
                .addString(nameContains == null ? null : "%" + nameContains.replaceAll("([\\\\%_])", "\\\\$1") + "%")
                .addArrayOfUUID(referenceDatasets.toArray(UUID[]::new))
                .addArrayOfUUID(ids.toArray(UUID[]::new))
                .addBoolean(referenceFree)
                .addString(traceTier)
                .addArrayOfString(metadata.keyArray())
                .addArrayOfString(metadata.valueArray());
    }
}
