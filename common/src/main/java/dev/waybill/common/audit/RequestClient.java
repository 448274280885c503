package dev.waybill.common.audit;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;

/**
 * Where a request came from. Both values are controlled by the client or a proxy, so they are sanitized.
 *
 * @param address IP address of the connection, or the one that a trusted proxy forwards (quarkus.http.proxy)
 * @param userAgent at most 100 printable ASCII characters without quotes
 */
record RequestClient(@Nullable String address, @Nullable String userAgent) {

    private static final int MAX_USER_AGENT = 100;
    private static final Pattern IP_ADDRESS = Pattern.compile("[0-9A-Fa-f.:]{2,45}");
    /** Equal signs and quotes would imitate other fields of a log line. */
    private static final Pattern NOT_PRINTABLE = Pattern.compile("[^ -~]|[\"=\\\\]");

    static RequestClient of(HttpServerRequest request) {
        return new RequestClient(address(request.remoteAddress()), userAgent(request.getHeader("User-Agent")));
    }

    private static @Nullable String address(@Nullable SocketAddress remote) {
        String address = remote == null ? null : remote.hostAddress() == null ? remote.host() : remote.hostAddress();
        return address != null && IP_ADDRESS.matcher(address).matches() ? address : null;
    }

    static @Nullable String userAgent(@Nullable String header) {
        if (header == null || header.isBlank()) {
            return null;
        }
        String agent = header.strip();
        String shortened = agent.substring(0, Math.min(agent.length(), MAX_USER_AGENT));
        return NOT_PRINTABLE.matcher(shortened).replaceAll("_").strip();
    }
}
