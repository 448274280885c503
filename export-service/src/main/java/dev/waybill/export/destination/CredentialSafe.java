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
import dev.waybill.common.secret.SecretBox;
import dev.waybill.export.storage.StorageCredentials;

/** Keeps credentials sealed in their destination's row. */
@Singleton
class CredentialSafe {

    private final SecretBox box;
    private final ObjectMapper json;

    CredentialSafe(SecretBox box, ObjectMapper json) {
        this.box = box;
        this.json = json;
    }

    SealedCredentials seal(@Nullable DestinationCredentials credentials, UUID tenantId, UUID id) {
        if (credentials == null) {
            return new SealedCredentials(null, List.of());
        }
        try {
            byte[] plain = json.writeValueAsBytes(credentials);
            byte[] sealed = box.seal(plain, tenantId, id);
            Arrays.fill(plain, (byte) 0);
            return new SealedCredentials(sealed, credentials.keys());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("credentials are plain text members", e);
        }
    }

    /** Null for those of the service's environment. */
    @Nullable
    StorageCredentials open(Destination destination) {
        byte[] sealed = destination.credentials().sealed().box();
        if (sealed == null) {
            return null;
        }
        byte[] plain = box.open(sealed, destination.tenantId(), destination.id());
        try {
            return plain(json.readValue(plain, DestinationCredentials.class));
        } catch (IOException e) {
            throw new UncheckedIOException("sealed credentials have an unknown form", e);
        } finally {
            Arrays.fill(plain, (byte) 0);
        }
    }

    static @Nullable StorageCredentials plain(@Nullable DestinationCredentials credentials) {
        return credentials == null ? null
                : new StorageCredentials(credentials.accessKeyId(),
                        credentials.secretAccessKey(), credentials.sessionToken());
    }
}
