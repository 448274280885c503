package dev.waybill.runtime.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;

/** The keys of the configuration, as hashes. */
final class ListedKeys {

    private static final int NAMED_BYTES = 16;

    private final List<byte[]> hashes;

    ListedKeys(Collection<String> keys) {
        this.hashes = keys.stream().map(String::strip).filter(key -> !key.isEmpty()).map(ListedKeys::hash).toList();
    }

    boolean isEmpty() {
        return hashes.isEmpty();
    }

    /** Takes as long for every key, right or wrong: all are compared, and whole. */
    boolean contains(String key) {
        byte[] hash = hash(key);
        boolean found = false;
        for (byte[] listed : hashes) {
            found |= MessageDigest.isEqual(listed, hash);
        }
        return found;
    }

    /** Whom the key stands for: itself, by a part of its hash. */
    String principal(String key) {
        return "key:" + HexFormat.of().formatHex(hash(key), 0, NAMED_BYTES);
    }

    static byte[] hash(String key) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
