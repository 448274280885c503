package dev.waybill.common.audit;

import java.net.InetAddress;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.net.RemoteAddress;
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
    /** Equal signs and quotes would imitate other fields of a log line. */
    private static final Pattern NOT_PRINTABLE = Pattern.compile("[^ -~]|[\"=\\\\]");

    static RequestClient of(HttpServerRequest request) {
        return new RequestClient(address(request.remoteAddress()), userAgent(request.getHeader("User-Agent")));
    }

    static @Nullable String address(@Nullable SocketAddress remote) {
        return RemoteAddress.of(remote).map(InetAddress::getHostAddress).orElse(null);
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
