package dev.waybill.common.api.export;

import java.time.Instant;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The location and result of a run.
 *
 * @param prefix prefix of the destination
 */
public record RunMetadata(@Schema(description = "The destination's prefix.", examples = "traces/") String prefix,
        Instant startTime, Instant endTime, RunResult result) {
}
