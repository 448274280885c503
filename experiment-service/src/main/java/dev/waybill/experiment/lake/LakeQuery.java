package dev.waybill.experiment.lake;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.waybill.common.filter.DuckDbCondition;

/**
 * A query for the first keys of runs of sessions.
 *
 * @param from lower bound of the start time, inclusive
 * @param to upper bound of the start time, exclusive
 * @param after key after which the runs begin, in the order of the query
 */
public record LakeQuery(UUID tenantId, List<UUID> sessions, DuckDbCondition condition, boolean descending, Instant from,
        Instant to, Optional<Position> after, int limit) {

    public LakeQuery {
        sessions = List.copyOf(sessions);
    }

    /** A start time and an id, by which the runs are ordered. */
    public record Position(Instant startTime, UUID id) {
    }

    /** The primary key of a run without the workspace. */
    public record RunPosition(UUID sessionId, Instant startTime, UUID id) {
    }
}
