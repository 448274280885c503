package dev.waybill.common.api.export;

import java.time.Instant;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Why an attempt at a run failed.
 *
 * @param code a stable word for programs
 * @param message one sentence
 */
public record RunError(@Schema(description = "A stable word for programs.", examples = "access_denied") String code,
        String message, Instant at) {
}
