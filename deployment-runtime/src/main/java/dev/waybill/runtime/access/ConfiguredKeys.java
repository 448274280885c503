package dev.waybill.runtime.access;

import java.security.MessageDigest;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;

import dev.waybill.common.id.Digests;

/** Hashes of the API keys in the configuration. */
final class ConfiguredKeys {

    private static final int PRINCIPAL_BYTES = 16;

    private final List<byte[]> hashes;

    ConfiguredKeys(Collection<String> keys) {
        this.hashes = keys.stream().map(String::strip).filter(key -> !key.isEmpty()).map(ConfiguredKeys::hash).toList();
    }

    boolean isEmpty() {
        return hashes.isEmpty();
    }

    /** Returns whether the key is configured, in constant time: compares it with all hashes. */
    boolean contains(String key) {
        byte[] hash = hash(key);
        boolean found = false;
        for (byte[] configured : hashes) {
            found |= MessageDigest.isEqual(configured, hash);
        }
        return found;
    }

    /** Returns the principal of the key, derived from a prefix of its hash. */
    String principal(String key) {
        return "key:" + HexFormat.of().formatHex(hash(key), 0, PRINCIPAL_BYTES);
    }

    static byte[] hash(String key) {
        return Digests.sha256(key);
    }
}
