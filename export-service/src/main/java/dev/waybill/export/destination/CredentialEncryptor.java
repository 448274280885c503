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

/** Keeps credentials sealed in their destination's row. */
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
            byte[] encrypted = cipher.seal(plain, tenantId, id);
            Arrays.fill(plain, (byte) 0);
            return new EncryptedCredentials(encrypted, credentials.keys());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("credentials are plain text members", e);
        }
    }

    /** The same credentials, sealed with the key that is current now. */
    EncryptedCredentials reencrypt(Destination destination) {
        EncryptedCredentials known = destination.credentials().encrypted();
        byte[] encrypted = known.ciphertext();
        if (encrypted == null) {
            return known;
        }
        byte[] plain = cipher.open(encrypted, destination.tenantId(), destination.id());
        byte[] again = cipher.seal(plain, destination.tenantId(), destination.id());
        Arrays.fill(plain, (byte) 0);
        return new EncryptedCredentials(again, known.keys());
    }

    /**
     * Null for those of the service's environment, if it still lends them: what the operator forbids today holds, whatever was
     * allowed when the destination was made.
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
        byte[] plain = cipher.open(encrypted, destination.tenantId(), destination.id());
        try {
            return toStorageCredentials(json.readValue(plain, DestinationCredentials.class));
        } catch (IOException e) {
            throw new UncheckedIOException("sealed credentials have an unknown form", e);
        } finally {
            Arrays.fill(plain, (byte) 0);
        }
    }

    static @Nullable StorageCredentials toStorageCredentials(@Nullable DestinationCredentials credentials) {
        return credentials == null ? null
                : new StorageCredentials(credentials.accessKeyId(),
                        credentials.secretAccessKey(), credentials.sessionToken());
    }
}
