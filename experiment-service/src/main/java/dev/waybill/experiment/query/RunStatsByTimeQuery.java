package dev.waybill.experiment.query;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.TextNode;

import dev.waybill.common.api.trace.QueryRunsRequest;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.common.time.Timestamps;

/**
 * Query for statistics of a session's runs by time.
 *
 * @param from start of the range; null for the first run
 * @param to end of the range; null for the last run
 * @param width width of the buckets; empty for the smallest one that {@code maxBuckets} allows
 */
record RunStatsByTimeQuery(UUID sessionId, Conditions conditions, @Nullable Instant from, @Nullable Instant to,
        Optional<BucketWidth> width, int maxBuckets) {

    /** 31 days by hour. */
    static final int MAX_BUCKETS = 744;
    static final int DEFAULT_BUCKETS = 60;
    private static final Set<String> RUN_TYPES = Set.of("tool", "chain", "llm", "retriever", "embedding", "prompt", "parser");

    /**
     * Parses the parameters of a request by name; a parameter without a value is absent.
     *
     * @throws ProblemException 422 with all violations
     */
    static RunStatsByTimeQuery parse(UUID sessionId, Map<String, String> parameters) {
        List<Violation> violations = new ArrayList<>();
        Instant from = time("start_time", parameters, violations);
        Instant to = time("end_time", parameters, violations);
        if (from != null && to != null && !from.isBefore(to)) {
            violations.add(Violation.of("end_time", "must be after start_time", "invalid"));
        }
        Conditions conditions = new Conditions(runType(parameters, violations), flag("is_root", parameters, violations),
                flag("error", parameters, violations), parameters.get("query"), parameters.get("filter"),
                parameters.get("trace_filter"), parameters.get("tree_filter"));
        Optional<BucketWidth> width = width(parameters, violations);
        int maxBuckets = maxBuckets(parameters, violations);
        if (width.isPresent() && from != null && to != null && from.isBefore(to)) {
            checkCount(width.get(), from, to).ifPresent(violations::add);
        }
        violations.addAll(RunQueryParser.violations(conditions.toRequest(sessionId, from, to), Set.of()));
        ProblemException.throwIfAny(violations);
        return new RunStatsByTimeQuery(sessionId, conditions, from, to, width, maxBuckets);
    }

    /**
     * Returns the width of the buckets for the range, which is not empty.
     *
     * @throws ProblemException 422 if the range has too many buckets
     */
    BucketWidth width(Instant start, Instant end) {
        if (width.isPresent()) {
            checkCount(width.get(), start, end).ifPresent(violation -> {
                throw ProblemException.invalid(violation);
            });
            return width.get();
        }
        return BucketWidth.smallest(start, end, maxBuckets)
                .or(() -> BucketWidth.smallest(start, end, MAX_BUCKETS))
                .orElseThrow(() -> ProblemException.invalid(Violation.of("start_time",
                        "must be given: the runs of the session span more than " + MAX_BUCKETS + " years", "missing")));
    }

    /** Returns the query for the runs in the range. */
    RunQueryParser.RunQuery runs(UUID tenantId, Instant start, Instant end) {
        return RunQueryParser.parse(tenantId, conditions.toRequest(sessionId, start, end));
    }

    /** Returns whether hourly summaries have the statistics: they are of all runs or of all root runs, by whole hours. */
    boolean canUseSummaries(BucketWidth width) {
        return conditions.selectsAllOrRoots() && width.seconds() % BucketWidth.ONE_HOUR.seconds() == 0;
    }

    private static Optional<Violation> checkCount(BucketWidth width, Instant start, Instant end) {
        long count = width.count(start, end);
        return count <= MAX_BUCKETS ? Optional.empty()
                : Optional.of(Violation.of("interval", "divides the range into " + count + " buckets; at most " + MAX_BUCKETS
                        + " are allowed. Use a longer interval or a shorter range", "invalid"));
    }

    private static @Nullable Instant time(String name, Map<String, String> parameters, List<Violation> violations) {
        String text = parameters.get(name);
        if (text == null) {
            return null;
        }
        try {
            return Timestamps.parse(text);
        } catch (DateTimeException e) {
            violations.add(Violation.of(name, "must be an ISO 8601 timestamp", "type"));
            return null;
        }
    }

    private static @Nullable String runType(Map<String, String> parameters, List<Violation> violations) {
        String type = parameters.get("run_type");
        if (type != null && !RUN_TYPES.contains(type)) {
            violations.add(Violation.of("run_type", "must be one of " + String.join(", ", RUN_TYPES.stream().sorted().toList()),
                    "invalid"));
        }
        return type;
    }

    private static @Nullable Boolean flag(String name, Map<String, String> parameters, List<Violation> violations) {
        String text = parameters.get(name);
        if (text == null) {
            return null;
        }
        if (!text.equals("true") && !text.equals("false")) {
            violations.add(Violation.of(name, "must be true or false", "type"));
        }
        return text.equals("true");
    }

    private static Optional<BucketWidth> width(Map<String, String> parameters, List<Violation> violations) {
        String text = parameters.get("interval");
        Optional<BucketWidth> width = text == null ? Optional.empty() : BucketWidth.of(text);
        if (text != null && width.isEmpty()) {
            violations.add(Violation.of("interval", "must be one of " + BucketWidth.wireNames(), "invalid"));
        }
        return width;
    }

    private static int maxBuckets(Map<String, String> parameters, List<Violation> violations) {
        String text = parameters.get("max_buckets");
        if (text == null) {
            return DEFAULT_BUCKETS;
        }
        if (text.matches("[0-9]{1,3}") && Integer.parseInt(text) >= 1 && Integer.parseInt(text) <= MAX_BUCKETS) {
            return Integer.parseInt(text);
        }
        violations.add(Violation.of("max_buckets", "must be a whole number, 1 to " + MAX_BUCKETS, "invalid"));
        return DEFAULT_BUCKETS;
    }

    /** Conditions on the runs as in a query for runs; null means no condition. */
    record Conditions(@Nullable String runType, @Nullable Boolean isRoot, @Nullable Boolean error, @Nullable String query,
            @Nullable String filter, @Nullable String traceFilter, @Nullable String treeFilter) {

        boolean selectsAllOrRoots() {
            return runType == null && !Boolean.FALSE.equals(isRoot) && error == null && query == null && filter == null
                    && traceFilter == null && treeFilter == null;
        }

        QueryRunsRequest toRequest(UUID sessionId, @Nullable Instant start, @Nullable Instant end) {
            return new QueryRunsRequest(TextNode.valueOf(sessionId.toString()), null, null, null, null, runType, isRoot, error,
                    start, end, query, filter, traceFilter, treeFilter, null, null, null, null, null, null, null);
        }
    }
}
