package dev.waybill.common.api.export;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The failure of a window of a scheduled export.
 *
 * @param bulkExportId export of the window
 * @param code a stable identifier for programs
 * @param message one sentence
 * @param at time of the failure
 */
@Schema(name = "WindowFailure")
public record WindowFailure(UUID bulkExportId, Instant startTime, Instant endTime,
        @Schema(description = "A stable identifier for programs.", examples = "quota_exceeded") String code,
        String message, Instant at) {
}
