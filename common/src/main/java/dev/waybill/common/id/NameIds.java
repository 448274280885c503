package dev.waybill.common.id;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.UUID;

/** Generates UUIDv5 (RFC 9562): the same name in the same namespace always has the same id. */
public final class NameIds {

    private NameIds() {
    }

    /** Returns the id of {@code name} in {@code namespace}. */
    public static UUID of(UUID namespace, String name) {
        MessageDigest sha1 = Digests.newSha1();
        sha1.update(ByteBuffer.allocate(16)
                .putLong(namespace.getMostSignificantBits())
                .putLong(namespace.getLeastSignificantBits())
                .flip());
        ByteBuffer hash = ByteBuffer.wrap(sha1.digest(name.getBytes(StandardCharsets.UTF_8)));
        long high = (hash.getLong() & ~0xf000L) | 0x5000L;
        long low = (hash.getLong() & 0x3fffffffffffffffL) | 0x8000000000000000L;
        return new UUID(high, low);
    }
}
