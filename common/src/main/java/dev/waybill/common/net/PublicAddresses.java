package dev.waybill.common.net;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which addresses belong to the public internet: global unicast without what the registries set aside (RFC 6890 and its heirs).
 */
final class PublicAddresses {

    private static final List<AddressRange> RESERVED_V4 = ranges(
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
            "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
            "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
            // Looks public, yet every virtual machine of one large cloud reaches its host's services there.
            "168.63.129.16/32");

    // Everything else of IPv6 is not global unicast: loopback, unique local, link-local, multicast, NAT64, forms of IPv4.
    private static final AddressRange GLOBAL_V6 = AddressRange.parse("2000::/3");

    private static final List<AddressRange> RESERVED_V6 = ranges(
            // Protocol assignments with Teredo, benchmarking and ORCHID; documentation; 6to4, which carries any IPv4 address.
            "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20");

    private PublicAddresses() {
    }

    static boolean contains(InetAddress address) {
        return address instanceof Inet4Address
                ? RESERVED_V4.stream().noneMatch(range -> range.contains(address))
                : GLOBAL_V6.contains(address) && RESERVED_V6.stream().noneMatch(range -> range.contains(address));
    }

    private static List<AddressRange> ranges(String... texts) {
        return Stream.of(texts).map(AddressRange::parse).toList();
    }
}
