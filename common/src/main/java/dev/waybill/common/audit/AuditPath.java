package dev.waybill.common.audit;

import java.util.Optional;
import java.util.StringJoiner;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The path of a request as the audit log shows it: the route with the ids of the request and no other text from the caller.
 *
 * @param path the route with its ids; a parameter whose value is not a UUID is shown by name
 * @param lastId id of the last path parameter that is a UUID
 */
record AuditPath(String path, Optional<String> lastId) {

    private static final Pattern UUID = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    static AuditPath of(@Nullable String route, String requestPath) {
        if (route == null) {
            return new AuditPath("-", Optional.empty());
        }
        String[] names = route.split("/", -1);
        String[] values = requestPath.split("/", -1);
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
