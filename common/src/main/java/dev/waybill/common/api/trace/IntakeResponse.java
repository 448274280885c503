package dev.waybill.common.api.trace;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Says that runs were stored; it is only answered once they are (contract.md "Trace intake").
 *
 * @param message a word for people
 */
public record IntakeResponse(@Schema(examples = "Runs stored") String message) {
}
