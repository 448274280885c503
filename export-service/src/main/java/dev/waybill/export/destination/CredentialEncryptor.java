package dev.waybill.export.destination;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.api.export.DestinationCredentials;
import dev.waybill.common.secret.SecretCipher;
import dev.waybill.export.storage.StorageCredentials;
import dev.waybill.export.storage.StorageException;
import dev.waybill.export.storage.StorageProblem;

/**
 * Encrypts and decrypts the credentials of a destination; the ciphertext is bound to the workspace and the destination's id.
 */
@Singleton
class CredentialEncryptor {

    private final SecretCipher cipher;
    private final ObjectMapper json;
    private final DestinationConfig config;

    CredentialEncryptor(SecretCipher cipher, ObjectMapper json, DestinationConfig config) {
        this.cipher = cipher;
        this.json = json;
        this.config = config;
    }

    EncryptedCredentials encrypt(@Nullable DestinationCredentials credentials, UUID tenantId, UUID id) {
        if (credentials == null) {
            return new EncryptedCredentials(null, List.of());
        }
        try {
            byte[] plain = json.writeValueAsBytes(credentials);
            byte[] encrypted = cipher.encrypt(plain, tenantId, id);
            Arrays.fill(plain, (byte) 0);
            return new EncryptedCredentials(encrypted, credentials.keys());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("credentials cannot be serialized", e);
        }
    }

    /** Encrypts the stored credentials again with the current key. */
    EncryptedCredentials reencrypt(Destination destination) {
        EncryptedCredentials known = destination.credentials().encrypted();
        byte[] encrypted = known.ciphertext();
        if (encrypted == null) {
            return known;
        }
        byte[] plain = cipher.decrypt(encrypted, destination.tenantId(), destination.id());
        byte[] reencrypted = cipher.encrypt(plain, destination.tenantId(), destination.id());
        Arrays.fill(plain, (byte) 0);
        return new EncryptedCredentials(reencrypted, known.keys());
    }

    /**
     * Returns the stored credentials, or null for the service's own. The operator's current configuration applies: if {@code
     * waybill.export.environment-credentials} is off, a destination created while it was on is rejected.
     */
    @Nullable
    StorageCredentials decrypt(Destination destination) {
        byte[] encrypted = destination.credentials().encrypted().ciphertext();
        if (encrypted == null) {
            if (!config.environmentCredentials()) {
                throw new StorageException(StorageProblem.NOT_LENT, "waybill.export.environment-credentials is off");
            }
            return null;
        }
        byte[] plain = cipher.decrypt(encrypted, destination.tenantId(), destination.id());
        try {
            return toStorageCredentials(json.readValue(plain, DestinationCredentials.class));
        } catch (IOException e) {
            throw new UncheckedIOException("decrypted credentials have an unknown format", e);
        } finally {
            Arrays.fill(plain, (byte) 0);
        }
    }

    static @Nullable StorageCredentials toStorageCredentials(@Nullable DestinationCredentials credentials) {
        return credentials == null ? null
                : new StorageCredentials(credentials.accessKeyId(),
                        credentials.secretAccessKey(), credentials.sessionToken());
    }

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
}
