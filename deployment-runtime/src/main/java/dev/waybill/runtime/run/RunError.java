package dev.waybill.runtime.run;

/**
 * Reason for the failure of a run, as in the final event of its stream.
 *
 * @param error type, such as the name of an exception
 * @param message description
 */
public record RunError(String error, String message) {
}
