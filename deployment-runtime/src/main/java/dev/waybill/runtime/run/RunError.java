package dev.waybill.runtime.run;

/**
 * Why a run failed, as its stream's last event tells it.
 *
 * @param error the kind, such as an exception's name
 * @param message what happened
 */
public record RunError(String error, String message) {
}
