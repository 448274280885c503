package dev.waybill.common.idempotency;

import java.security.MessageDigest;
import java.util.Optional;
import java.util.UUID;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.idempotency.IdempotencyTable.Claim;
import dev.waybill.common.idempotency.IdempotencyTable.IdempotencyKey;
import dev.waybill.common.idempotency.IdempotencyTable.IdempotencyRecord;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.common.secret.SecretCipher;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;

/**
 * Encrypts the stored requests and responses of idempotency keys. A response may contain a secret that is returned only once,
 * and a request may contain one short enough to be guessed from its hash.
 */
@Singleton
class IdempotencyCipher {

    private final SecretCipher cipher;
    private final Blocking blocking;
    private final ObjectMapper mapper;

    IdempotencyCipher(SecretCipher cipher, Blocking blocking, ObjectMapper mapper) {
        this.cipher = cipher;
        this.blocking = blocking;
        this.mapper = mapper;
    }

    void requireEncryption(@Observes StartupEvent starting,
            @ConfigProperty(name = IdempotencyTable.SCHEMA_KEY) Optional<String> schema) {
        if (schema.isPresent()) {
            cipher.currentKey();
        }
    }

    Uni<byte[]> encryptRequest(IdempotencyKey key, UUID id, byte[] fingerprint) {
        return blocking.call(() -> cipher.encrypt(fingerprint, key.scope(), id));
    }

    Uni<Boolean> isSameRequest(IdempotencyRecord stored, byte[] fingerprint) {
        return blocking.call(() -> MessageDigest.isEqual(decrypt(stored.claim(), stored.request()), fingerprint));
    }

    Uni<byte[]> encryptResponse(Claim claim, Object response) {
        return blocking.call(() -> cipher.encrypt(mapper.writeValueAsBytes(response), claim.key().scope(), claim.id()));
    }

    Uni<Object> decryptResponse(Claim claim, byte[] ciphertext, JavaType type) {
        return blocking.call(() -> mapper.readValue(decrypt(claim, ciphertext), type));
    }

    private byte[] decrypt(Claim claim, byte[] ciphertext) {
        return cipher.decrypt(ciphertext, claim.key().scope(), claim.id());
    }
}
