package dev.waybill.common.api.export;

import java.time.Instant;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Where a run's files go and what came of it.
 *
 * @param prefix the destination's prefix under which the export lies
 */
public record RunMetadata(@Schema(description = "The destination's prefix.", examples = "traces/") String prefix,
        Instant startTime, Instant endTime, RunResult result) {
}
