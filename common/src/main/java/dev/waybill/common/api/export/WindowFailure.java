package dev.waybill.common.api.export;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Why a window of a scheduled export failed.
 *
 * @param bulkExportId the export of the window
 * @param code a stable word for programs
 * @param message one sentence
 * @param at when it failed
 */
@Schema(name = "WindowFailure")
public record WindowFailure(UUID bulkExportId, Instant startTime, Instant endTime,
        @Schema(description = "A stable word for programs.", examples = "quota_exceeded") String code,
        String message, Instant at) {
}
