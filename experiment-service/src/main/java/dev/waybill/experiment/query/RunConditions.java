package dev.waybill.experiment.query;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.filter.Filter;

/**
 * What holds of a run that is asked for; what is null or empty says nothing.
 *
 * @param from the first start time
 * @param to the first start time that is too late
 * @param filters on the run
 * @param traceFilter on the first run of its trace
 * @param treeFilter on some run of its trace
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

    /** Whether there is something that an index finds runs by. */
    boolean leadsToRuns() {
        return !sessions.isEmpty() || !ids.isEmpty() || trace != null || parent != null || !examples.isEmpty();
    }
}
