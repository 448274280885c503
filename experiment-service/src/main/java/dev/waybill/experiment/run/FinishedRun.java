package dev.waybill.experiment.run;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.body.Bytes;

/** A completed root run without children, as uploaded experiments contain them. */
public record FinishedRun(UUID id, UUID sessionId, UUID exampleId, String name, Instant startTime, Instant endTime,
        @Nullable String error, Bytes inputs, @Nullable Bytes outputs, @Nullable Bytes metadata) {

    /** Returns whether the run failed; a blank error means none, as many clients send it. */
    boolean hasFailed() {
        return error != null && !error.isBlank();
    }
}
