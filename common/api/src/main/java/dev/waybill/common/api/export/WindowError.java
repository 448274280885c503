package dev.waybill.common.api.export;

import java.time.Instant;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The newest error of a window's export.
 *
 * @param code a stable identifier for programs
 * @param message one sentence
 * @param attempt number of the failed attempt
 * @param since when the first of the window's failed attempts ended
 * @param at when the last of them ended
 */
@Schema(name = "WindowError")
public record WindowError(
        @Schema(description = "A stable identifier for programs.", examples = "quota_exceeded") String code,
        String message,
        @Schema(description = "Number of the failed attempt, counted from 1.") int attempt,
        @Schema(description = "When the first of the failed attempts ended.") Instant since,
        @Schema(description = "When the last of the failed attempts ended.") Instant at) {
}
