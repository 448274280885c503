package dev.waybill.runtime.access;

import java.util.Locale;
import java.util.Set;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.SocketAddress;

/** Calls from this very machine. A page in a browser here is no such call, whatever name it has made lead here. */
final class LocalCalls {

    private static final Set<String> NAMES = Set.of("localhost", "127.0.0.1", "::1", "[::1]");

    private LocalCalls() {
    }

    static boolean isOne(HttpServerRequest request) {
        HostAndPort asked = request.authority();
        return isHere(request.remoteAddress())
                && request.getHeader("Origin") == null
                && asked != null && NAMES.contains(asked.host().toLowerCase(Locale.ROOT));
    }

    private static boolean isHere(SocketAddress caller) {
        String address = caller.hostAddress();
        return address != null && (address.startsWith("127.") || address.equals("0:0:0:0:0:0:0:1") || address.equals("::1"));
    }
}
