package dev.waybill.common.net;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/**
 * Decides whether an address belongs to the public internet: global unicast without the ranges that registries reserve (RFC
 * 6890 and its successors). The address guard uses these ranges, and a test compares the network policies in k8s/ with them.
 */
public final class PublicAddresses {

    /** IPv4 ranges that are not public; network policies exclude the same ranges. */
    public static final List<String> RESERVED_V4 = List.of(
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
            "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
            "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
            // A public address where virtual machines of Azure reach services of their host.
            "168.63.129.16/32");

    /**
     * The IPv6 range with all public addresses. Loopback, unique local, link-local, multicast, NAT64 and IPv4-mapped addresses
     * are outside.
     */
    public static final String GLOBAL_V6 = "2000::/3";

    /** Ranges within {@link #GLOBAL_V6} that are not public. */
    public static final List<String> RESERVED_V6 = List.of(
            // Protocol assignments with Teredo, benchmarking and ORCHID; documentation; 6to4, which contains any IPv4 address.
            "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20");

    private static final List<AddressRange> RESERVED_RANGES_V4 = ranges(RESERVED_V4);
    private static final AddressRange GLOBAL = AddressRange.parse(GLOBAL_V6);
    private static final List<AddressRange> RESERVED_RANGES_V6 = ranges(RESERVED_V6);

    private PublicAddresses() {
    }

    static boolean contains(InetAddress address) {
        return address instanceof Inet4Address
                ? RESERVED_RANGES_V4.stream().noneMatch(range -> range.contains(address))
                : GLOBAL.contains(address) && RESERVED_RANGES_V6.stream().noneMatch(range -> range.contains(address));
    }

    private static List<AddressRange> ranges(List<String> texts) {
        return texts.stream().map(AddressRange::parse).toList();
    }

    /** A block of addresses in CIDR notation. An IPv4 range never contains an IPv6 address. */
    static final class AddressRange {

        private final byte[] network;
        private final int prefix;

        private AddressRange(byte[] network, int prefix) {
            this.network = network;
            this.prefix = prefix;
        }

        /**
         * Parses {@code 10.0.0.0/8}, {@code fd00::/8} or a single address.
         *
         * @throws IllegalArgumentException if the text is not a range or has host bits set
         */
        static AddressRange parse(String text) {
            String[] parts = text.strip().split("/", 2);
            byte[] network = InetAddress.ofLiteral(parts[0]).getAddress();
            int bits = network.length * Byte.SIZE;
            int prefix = parts.length == 2 ? Integer.parseInt(parts[1]) : bits;
            if (prefix < 0 || prefix > bits) {
                throw new IllegalArgumentException("not a CIDR range: " + text);
            }
            AddressRange range = new AddressRange(network, prefix);
            if (!Arrays.equals(range.masked(network), network)) {
                throw new IllegalArgumentException("host bits are set: " + text);
            }
            return range;
        }

        boolean contains(InetAddress address) {
            byte[] bytes = address.getAddress();
            return bytes.length == network.length && Arrays.equals(masked(bytes), network);
        }

        private byte[] masked(byte[] address) {
            byte[] masked = address.clone();
            for (int i = 0; i < masked.length; i++) {
                int bits = Math.clamp(prefix - i * Byte.SIZE, 0, Byte.SIZE);
                masked[i] &= (byte) (0xff << (Byte.SIZE - bits));
            }
            return masked;
        }
    }
}
