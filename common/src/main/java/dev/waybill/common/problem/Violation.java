package dev.waybill.common.problem;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonAnyGetter;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * One thing wrong with a request, in the wire's own names (contract.md "Everywhere").
 *
 * @param loc where: member names and list positions from the root, for example {@code ["results", 3, "end_time"]}
 * @param message what to do about it, one sentence
 * @param type a stable word for programs, for example {@code missing}
 * @param members what a program may want to know beside it, for example a {@code position}
 */
@RegisterForReflection
public record Violation(List<Object> loc, String message, String type, @JsonAnyGetter Map<String, Object> members) {

    public Violation {
        loc = List.copyOf(loc);
        members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }

    public Violation(List<Object> loc, String message, String type) {
        this(loc, message, type, Map.of());
    }

    /** A violation of the member {@code name} at the root of the body. */
    public static Violation of(String name, String message, String type) {
        return new Violation(List.of(name), message, type);
    }

    /** The same with a member more. */
    public Violation with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(members);
        more.put(name, value);
        return new Violation(loc, message, type, more);
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
