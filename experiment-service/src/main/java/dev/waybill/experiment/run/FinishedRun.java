package dev.waybill.experiment.run;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.body.Bytes;

/** A run without children that was told whole after it ended, as experiments that were run elsewhere have them. */
public record FinishedRun(UUID id, UUID sessionId, UUID exampleId, String name, Instant startTime, Instant endTime,
        @Nullable String error, Bytes inputs, @Nullable Bytes outputs, @Nullable Bytes metadata) {

    /** An empty error is what many senders write for none. */
    boolean hasFailed() {
        return error != null && !error.isBlank();
    }
}
