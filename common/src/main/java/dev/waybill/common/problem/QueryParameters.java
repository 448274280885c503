package dev.waybill.common.problem;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.vertx.core.MultiMap;

/** Names the query parameters whose values the framework could not convert; it reports those like an unknown path. */
final class QueryParameters {

    private static final int LONGEST_UUID = 36;
    private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"$");

    private QueryParameters() {
    }

    /**
     * Returns a violation for each parameter with a malformed value; none where the malformed value is one of the path's.
     *
     * @param failure of the conversion, whose message quotes the value, or the part of it that is no number
     */
    static List<Violation> malformed(MultiMap query, String path, Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        List<Map.Entry<String, String>> blamed = query.entries().stream()
                .filter(parameter -> !isUuid(parameter.getValue()) && isBlamed(message, parameter.getValue()))
                .toList();
        boolean isOfPath = blamed.stream().allMatch(parameter -> path.contains("/" + parameter.getValue()));
        return isOfPath ? List.of()
                : blamed.stream()
                        .map(Map.Entry::getKey)
                        .distinct()
                        .map(name -> Violation.of(name, "must be a UUID, or several, each in a parameter of its own", "type"))
                        .toList();
    }

    private static boolean isBlamed(String message, String value) {
        if (value.length() > LONGEST_UUID) {
            return message.contains("too large");
        }
        Matcher part = QUOTED.matcher(message);
        return message.endsWith(": " + value) || part.find() && !part.group(1).isEmpty() && value.contains(part.group(1));
    }

    private static boolean isUuid(String value) {
        try {
            return value.length() == LONGEST_UUID && UUID.fromString(value).toString().equalsIgnoreCase(value);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
