package dev.waybill.common.problem;

import java.util.List;

/**
 * One thing wrong with a request, in the wire's own names (contract.md "Everywhere").
 *
 * @param loc where: member names and list positions from the root, for example {@code ["results", 3, "end_time"]}
 * @param message what to do about it, one sentence
 * @param type a stable word for programs, for example {@code missing}
 */
public record Violation(List<Object> loc, String message, String type) {

    public Violation {
        loc = List.copyOf(loc);
    }

    /** A violation of the member {@code name} at the root of the body. */
    public static Violation of(String name, String message, String type) {
        return new Violation(List.of(name), message, type);
    }

    /** Where it is, in words: {@code results[3].end_time}. */
    public String path() {
        StringBuilder path = new StringBuilder();
        for (Object step : loc) {
            if (step instanceof Integer index) {
                path.append('[').append(index).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step);
            }
        }
        return path.toString();
    }
}
