package dev.waybill.common.api.trace;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Confirms that runs are stored.
 *
 * @param message a message for people
 */
public record IntakeResponse(@Schema(examples = "Runs stored") String message) {
}
