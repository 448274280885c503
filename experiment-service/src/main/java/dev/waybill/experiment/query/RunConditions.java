package dev.waybill.experiment.query;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.filter.Filter;

/**
 * Conditions of a query on runs; null or empty means no condition.
 *
 * @param from lower bound of the start time, inclusive
 * @param to upper bound of the start time, exclusive
 * @param filters on the run itself
 * @param traceFilter on the root run of its trace
 * @param treeFilter on any run of its trace
 */
record RunConditions(List<UUID> sessions, List<UUID> ids, @Nullable UUID trace, @Nullable UUID parent, List<UUID> examples,
        @Nullable String runType, @Nullable Boolean root, @Nullable Boolean failed, @Nullable Instant from,
        @Nullable Instant to, List<Filter> filters, @Nullable Filter traceFilter, @Nullable Filter treeFilter) {

    RunConditions {
        sessions = List.copyOf(sessions);
        ids = List.copyOf(ids);
        examples = List.copyOf(examples);
        filters = List.copyOf(filters);
    }

    /** Returns whether an index supports at least one condition. */
    boolean hasIndexedCondition() {
        return !sessions.isEmpty() || !ids.isEmpty() || trace != null || parent != null || !examples.isEmpty();
    }
}
