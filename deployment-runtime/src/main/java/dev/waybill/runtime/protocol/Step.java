package dev.waybill.runtime.protocol;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A worker's report of a step of a run (docs/worker-protocol.md, {@code run/step}): complete, or first its start and later its
 * end. Members that were not sent are null.
 *
 * @param id id from the worker; reports with the same id belong to the same step
 * @param parent id of the enclosing step; null directly below the run
 * @param inputs JSON on one line, as are {@code outputs} and {@code metadata}
 * @param cost length of its line
 */
public record Step(String id, @Nullable String parent, @Nullable String name, @Nullable String runType, Times times,
        byte @Nullable [] inputs, byte @Nullable [] outputs, byte @Nullable [] metadata, @Nullable String error, int cost) {

    /** Start and end of the step, and the time of a model's first token. */
    public record Times(@Nullable Instant start, @Nullable Instant end, @Nullable Instant firstToken) {
    }
}
