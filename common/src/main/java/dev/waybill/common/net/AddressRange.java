package dev.waybill.common.net;

import java.net.InetAddress;
import java.util.Arrays;

/** A block of addresses in CIDR notation. An IPv4 range never contains an IPv6 address. */
final class AddressRange {

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
