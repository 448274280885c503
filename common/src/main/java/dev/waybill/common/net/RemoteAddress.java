package dev.waybill.common.net;

import java.net.InetAddress;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.vertx.core.net.SocketAddress;

/** The IP address of a connection's other end, or the one that a trusted proxy forwards. */
public final class RemoteAddress {

    private RemoteAddress() {
    }

    /** Returns the text of the address; a proxy can forward text that is no address. */
    public static Optional<String> text(@Nullable SocketAddress remote) {
        return Optional.ofNullable(remote)
                .map(address -> address.hostAddress() == null ? address.host() : address.hostAddress())
                .map(RemoteAddress::withoutBrackets);
    }

    /** Returns the address, or nothing if the text is none. */
    public static Optional<InetAddress> of(@Nullable SocketAddress remote) {
        return text(remote).flatMap(RemoteAddress::parse);
    }

    // The header Forwarded, and X-Forwarded-For of some proxies, have IPv6 addresses in brackets.
    private static String withoutBrackets(String address) {
        return address.startsWith("[") && address.endsWith("]") ? address.substring(1, address.length() - 1) : address;
    }

    private static Optional<InetAddress> parse(String address) {
        try {
            return Optional.of(InetAddress.ofLiteral(address));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
