package dev.waybill.common.edge;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.net.RemoteAddress;
import io.vertx.core.net.SocketAddress;

/**
 * Identifies the client of a connection by its IPv4 address or by the /64 network of its IPv6 address, because a provider
 * assigns at least a /64 to each customer.
 */
final class ClientAddress {

    private static final int NETWORK_BYTES = 8;

    private ClientAddress() {
    }

    /** Returns the identifier; behind a trusted proxy, it is derived from the address that the proxy forwards. */
    static String of(@Nullable SocketAddress remote) {
        return RemoteAddress.of(remote)
                .map(ClientAddress::network)
                .or(() -> RemoteAddress.text(remote))
                .orElse("");
    }

    private static String network(InetAddress address) {
        return address instanceof Inet6Address
                ? HexFormat.of().formatHex(address.getAddress(), 0, NETWORK_BYTES)
                : address.getHostAddress();
    }
}
