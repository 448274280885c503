package dev.waybill.common.audit;

import java.util.Optional;
import java.util.StringJoiner;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The path of a request as the audit log tells it: ids where the route has parameters, and nothing else that a caller wrote.
 *
 * @param path the route with its ids filled in; what is no UUID keeps the parameter's name
 * @param lastId the innermost id
 */
record AuditPath(String path, Optional<String> lastId) {

    private static final Pattern UUID = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    static AuditPath of(@Nullable String route, String asked) {
        if (route == null) {
            return new AuditPath("-", Optional.empty());
        }
        String[] names = route.split("/", -1);
        String[] values = asked.split("/", -1);
        StringJoiner path = new StringJoiner("/");
        Optional<String> lastId = Optional.empty();
        for (int i = 0; i < names.length; i++) {
            boolean isId = names[i].startsWith("{") && i < values.length && UUID.matcher(values[i]).matches();
            path.add(isId ? values[i] : names[i]);
            lastId = isId ? Optional.of(values[i]) : lastId;
        }
        return new AuditPath(path.toString(), lastId);
    }
}
