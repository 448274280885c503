package dev.waybill.export.destination;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Credentials that only their destination's row can open.
 *
 * @param ciphertext null for those of the service's environment
 * @param keys the names of what is in the box
 */
record EncryptedCredentials(byte @Nullable [] ciphertext, List<String> keys) {

    EncryptedCredentials {
        keys = List.copyOf(keys);
    }
}
