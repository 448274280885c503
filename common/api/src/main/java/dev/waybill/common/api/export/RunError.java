package dev.waybill.common.api.export;

import java.time.Instant;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The error of one attempt at a run.
 *
 * @param code a stable identifier for programs
 * @param message one sentence
 */
public record RunError(@Schema(description = "A stable identifier for programs.", examples = "access_denied") String code,
        String message, Instant at) {
}
