package dev.waybill.common.problem;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.vertx.core.MultiMap;

/**
 * Finds the query parameters whose values the framework could not convert; the framework itself reports them like an unknown
 * path.
 */
final class MalformedQueryParameters {

    private static final int UUID_LENGTH = 36;
    private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"$");

    private MalformedQueryParameters() {
    }

    /**
     * Returns a violation for each parameter with a malformed value; empty if the malformed value is part of the path.
     *
     * @param failure the conversion failure, whose message quotes the value or its part that is not a number
     */
    static List<Violation> malformed(MultiMap query, String path, Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        List<Map.Entry<String, String>> causes = query.entries().stream()
                .filter(parameter -> !isUuid(parameter.getValue()) && isCause(message, parameter.getValue()))
                .toList();
        boolean isOfPath = causes.stream().allMatch(parameter -> path.contains("/" + parameter.getValue()));
        return isOfPath ? List.of()
                : causes.stream()
                        .map(Map.Entry::getKey)
                        .distinct()
                        .map(name -> Violation.of(name, "must be a UUID, or several, each in a parameter of its own", "type"))
                        .toList();
    }

    private static boolean isCause(String message, String value) {
        if (value.length() > UUID_LENGTH) {
            return message.contains("too large");
        }
        Matcher part = QUOTED.matcher(message);
        return message.endsWith(": " + value) || part.find() && !part.group(1).isEmpty() && value.contains(part.group(1));
    }

    private static boolean isUuid(String value) {
        try {
            return value.length() == UUID_LENGTH && UUID.fromString(value).toString().equalsIgnoreCase(value);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
