package dev.waybill.common.net;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import dev.waybill.common.net.PublicAddresses.AddressRange;
import io.netty.channel.ChannelFactory;
import io.netty.channel.socket.nio.NioSocketChannel;

/**
 * Restricts addresses given by customers to public addresses and the ranges of {@code waybill.net.allowed-ranges}, which
 * protects the internal network (SSRF). A host name is checked when it is stored, for an immediate error, and again at each
 * connection ({@link #channels}), because DNS can change in between.
 */
@Singleton
public class AddressGuard {

    private static final String NOT_PUBLIC = "must lead to a public address";

    private final boolean allowHttp;
    private final List<AddressRange> allowed;
    private final AddressResolver resolver;

    @Inject
    AddressGuard(NetConfig config) {
        this(config, host -> List.of(InetAddress.getAllByName(host)));
    }

    public AddressGuard(NetConfig config, AddressResolver resolver) {
        this.allowHttp = config.allowHttp();
        this.allowed = config.allowedRanges().orElse(List.of()).stream().map(AddressGuard::range).toList();
        this.resolver = resolver;
    }

    /**
     * Parses a URL; rejects unusual spellings and forbidden literal addresses. Does not resolve names.
     *
     * @throws UnsafeAddressException with a message that completes a sentence starting with the field's name
     */
    public URI parse(String url) {
        URI parsed = GuardedUrl.parse(url, allowHttp);
        GuardedUrl.literal(parsed).ifPresent(this::check);
        return parsed;
    }

    /**
     * Resolves the host of a {@linkplain #parse parsed} URL and checks each of its addresses. Blocks.
     *
     * @throws UnsafeAddressException also if the name does not resolve
     */
    public void resolve(URI url) {
        addresses(url);
    }

    /**
     * Resolves and checks like {@link #resolve}, for clients that connect to an address instead of a name.
     *
     * @return the addresses of the host, at least one
     */
    public List<InetAddress> addresses(URI url) {
        try {
            Optional<InetAddress> literal = GuardedUrl.literal(url);
            List<InetAddress> addresses = literal.isPresent() ? List.of(literal.get()) : resolver.resolve(url.getHost());
            addresses.forEach(this::check);
            return addresses;
        } catch (UnknownHostException e) {
            throw new UnsafeAddressException(NOT_PUBLIC);
        }
    }

    /** Throws {@link UnsafeAddressException} if the address is not allowed. */
    public void check(InetAddress address) {
        if (!PublicAddresses.contains(address) && allowed.stream().noneMatch(range -> range.contains(address))) {
            throw new UnsafeAddressException(NOT_PUBLIC);
        }
    }

    /**
     * Returns a factory for Netty clients whose sockets check the resolved address before they connect.
     *
     * @param maxBytes maximum number of bytes that a connection may receive between two writes; the connection is closed if it
     *        receives more
     */
    public ChannelFactory<NioSocketChannel> channels(long maxBytes) {
        return () -> new GuardedChannel(this, maxBytes);
    }

    private static AddressRange range(String text) {
        try {
            return AddressRange.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("waybill.net.allowed-ranges contains an invalid CIDR range: " + text, e);
        }
    }
}
