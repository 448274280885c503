package dev.waybill.export.destination;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Credentials that can be decrypted for their destination only.
 *
 * @param ciphertext null for the service's own credentials
 * @param keys the names of the encrypted members
 */
record EncryptedCredentials(byte @Nullable [] ciphertext, List<String> keys) {

    EncryptedCredentials {
        keys = List.copyOf(keys);
    }
}
