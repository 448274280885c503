package dev.waybill.common.problem;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.vertx.core.MultiMap;

/** Names the query parameters whose values the framework could not convert; it reports those like an unknown path. */
final class QueryParameters {

    private static final int LONGEST_UUID = 36;

    private QueryParameters() {
    }

    /**
     * Returns a violation for each malformed value; none where the malformed value is one of the path's.
     *
     * @param failure of the conversion, whose message ends with the value, unless that is too long to be one
     */
    static List<Violation> malformed(MultiMap query, String path, Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        List<Map.Entry<String, String>> candidates = query.entries().stream()
                .filter(parameter -> !isUuid(parameter.getValue()))
                .toList();
        boolean isOfQuery = candidates.stream()
                .anyMatch(parameter -> isNamed(message, parameter.getValue()) && !path.contains("/" + parameter.getValue()));
        if (!isOfQuery) {
            return List.of();
        }
        List<String> names = candidates.stream()
                .filter(parameter -> isNamed(message, parameter.getValue()))
                .map(Map.Entry::getKey)
                .distinct()
                .toList();
        return names.stream()
                .map(name -> Violation.of(name, "must be a UUID, or several, each in a parameter of its own", "type"))
                .toList();
    }

    private static boolean isNamed(String message, String value) {
        return value.length() > LONGEST_UUID ? message.contains("too large")
                : message.endsWith(": " + value) || message.endsWith("\"" + value + "\"");
    }

    private static boolean isUuid(String value) {
        try {
            return value.length() == LONGEST_UUID && UUID.fromString(value).toString().equalsIgnoreCase(value);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
