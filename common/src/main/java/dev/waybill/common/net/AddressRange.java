package dev.waybill.common.net;

import java.net.InetAddress;
import java.util.Arrays;

/** A block of addresses in CIDR notation; one of IPv4 never contains an address of IPv6. */
final class AddressRange {

    private final byte[] network;
    private final int prefix;

    private AddressRange(byte[] network, int prefix) {
        this.network = network;
        this.prefix = prefix;
    }

    /**
     * Reads {@code 10.0.0.0/8}, {@code fd00::/8} or a single address.
     *
     * @throws IllegalArgumentException when the text is no range, or has bits set behind its prefix
     */
    static AddressRange parse(String text) {
        String[] parts = text.strip().split("/", 2);
        byte[] network = InetAddress.ofLiteral(parts[0]).getAddress();
        int bits = network.length * Byte.SIZE;
        int prefix = parts.length == 2 ? Integer.parseInt(parts[1]) : bits;
        if (prefix < 0 || prefix > bits) {
            throw new IllegalArgumentException("not a range of addresses: " + text);
        }
        AddressRange range = new AddressRange(network, prefix);
        if (!Arrays.equals(range.masked(network), network)) {
            throw new IllegalArgumentException("bits are set behind the prefix: " + text);
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
