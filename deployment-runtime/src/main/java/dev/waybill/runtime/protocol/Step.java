package dev.waybill.runtime.protocol;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What a worker tells of a part of a run (docs/worker-protocol.md, {@code run/step}): all of it at once, or its beginning and
 * later its end. Members that were not told are null.
 *
 * @param id the worker's own; the same id is the same step
 * @param parent the id of the step that it is part of; null below the run itself
 * @param inputs JSON on one line, as are {@code outputs} and {@code metadata}
 * @param cost how long its line was
 */
public record Step(String id, @Nullable String parent, @Nullable String name, @Nullable String runType, Times times,
        byte @Nullable [] inputs, byte @Nullable [] outputs, byte @Nullable [] metadata, @Nullable String error, int cost) {

    /** When it began and ended, and when a model's first piece came. */
    public record Times(@Nullable Instant start, @Nullable Instant end, @Nullable Instant firstToken) {
    }
}
