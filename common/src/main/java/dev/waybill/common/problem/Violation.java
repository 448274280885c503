package dev.waybill.common.problem;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonAnyGetter;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * One violation of a request, with the member names of the wire format.
 *
 * @param loc location of the value: member names and array indexes from the root, for example {@code ["results", 3,
 *        "end_time"]}
 * @param message the error and the expected value
 * @param type a stable identifier for programs, for example {@code missing}
 * @param members additional information for programs, for example a {@code position}
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

    /** Returns a violation of the member {@code name} at the root of the body. */
    public static Violation of(String name, String message, String type) {
        return new Violation(List.of(name), message, type);
    }

    /** Returns the violation of an element of a list. */
    public Violation in(int index) {
        List<Object> inList = new ArrayList<>(loc.size() + 1);
        inList.add(index);
        inList.addAll(loc);
        return new Violation(inList, message, type, members);
    }

    /** Returns a copy with an additional member. */
    public Violation with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(members);
        more.put(name, value);
        return new Violation(loc, message, type, more);
    }

    /** Returns the location as text: {@code results[3].end_time}. */
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
