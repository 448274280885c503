package dev.waybill.runtime.access;

import java.util.Locale;
import java.util.Set;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.SocketAddress;

/** Recognises requests from this machine. Requests of web pages are excluded, also those that use DNS rebinding. */
final class LoopbackRequests {

    private static final Set<String> NAMES = Set.of("localhost", "127.0.0.1", "::1", "[::1]");

    private LoopbackRequests() {
    }

    static boolean isLoopback(HttpServerRequest request) {
        HostAndPort authority = request.authority();
        return isLoopbackAddress(request.remoteAddress())
                && request.getHeader("Origin") == null
                && authority != null && NAMES.contains(authority.host().toLowerCase(Locale.ROOT));
    }

    private static boolean isLoopbackAddress(SocketAddress caller) {
        String address = caller.hostAddress();
        return address != null && (address.startsWith("127.") || address.equals("0:0:0:0:0:0:0:1") || address.equals("::1"));
    }
}
