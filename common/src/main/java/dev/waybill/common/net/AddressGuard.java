package dev.waybill.common.net;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import io.netty.channel.ChannelFactory;
import io.netty.channel.socket.nio.NioSocketChannel;

/**
 * Stands between addresses that customers give and the network that a service runs in: only public addresses pass, and those
 * in {@code waybill.net.allowed-ranges}. A name is checked when it is saved, for a clear answer, and again whenever a client
 * connects ({@link #channels}), because a name may lead elsewhere by then.
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
     * The URL, if it is spelled plainly and its host is no address that is refused. Looks nothing up.
     *
     * @throws UnsafeAddressException saying what is wrong, to be put behind the name of the field
     */
    public URI parse(String url) {
        URI parsed = GuardedUrl.parse(url, allowHttp);
        GuardedUrl.literal(parsed).ifPresent(this::check);
        return parsed;
    }

    /**
     * Looks up the host of a {@linkplain #parse parsed} URL: every one of its addresses must pass. Blocks.
     *
     * @throws UnsafeAddressException also when the name does not resolve
     */
    public void resolve(URI url) {
        addresses(url);
    }

    /**
     * As {@link #resolve}, for a client that connects to an address and not to a name.
     *
     * @return where the host is, at least one
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

    /** Lets the address pass or throws {@link UnsafeAddressException}. */
    public void check(InetAddress address) {
        if (!PublicAddresses.contains(address) && allowed.stream().noneMatch(range -> range.contains(address))) {
            throw new UnsafeAddressException(NOT_PUBLIC);
        }
    }

    /**
     * For a Netty client: its sockets check where they are about to connect, after the name was resolved for the last time.
     *
     * @param mostBytes what one connection may receive in its life; more ends it, however little of it anybody would have read
     */
    public ChannelFactory<NioSocketChannel> channels(long mostBytes) {
        return () -> new GuardedChannel(this, mostBytes);
    }

    private static AddressRange range(String text) {
        try {
            return AddressRange.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("waybill.net.allowed-ranges holds no range of addresses: " + text, e);
        }
    }
}
