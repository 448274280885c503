package dev.waybill.common.edge;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

import io.vertx.core.net.SocketAddress;

/** Names the client of a connection: its IPv4 address, or the /64 network of its IPv6 address, which is one customer's. */
final class ClientAddress {

    private static final int NETWORK_BYTES = 8;

    private ClientAddress() {
    }

    /** Returns the name; behind a proxy that Quarkus trusts, the address that the proxy forwards. */
    static String of(@Nullable SocketAddress remote) {
        String address = remote == null ? null : remote.hostAddress() == null ? remote.host() : remote.hostAddress();
        if (address == null) {
            return "";
        }
        try {
            InetAddress literal = InetAddress.ofLiteral(address);
            return literal instanceof Inet6Address
                    ? HexFormat.of().formatHex(literal.getAddress(), 0, NETWORK_BYTES)
                    : literal.getHostAddress();
        } catch (IllegalArgumentException e) {
            return address;
        }
    }
}
