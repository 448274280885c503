package dev.waybill.common.idempotency;

import java.security.MessageDigest;
import java.util.UUID;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;

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

    private final SecretCipher box;
    private final Blocking blocking;
    private final ObjectMapper mapper;

    IdempotencyCipher(SecretCipher box, Blocking blocking, ObjectMapper mapper) {
        this.box = box;
        this.blocking = blocking;
        this.mapper = mapper;
    }

    void requireEncryption(@Observes StartupEvent starting, IdempotencyConfig config) {
        if (config.schema().isPresent()) {
            box.currentKey();
        }
    }

    Uni<byte[]> sealRequest(IdempotencyKey key, UUID id, byte[] fingerprint) {
        return blocking.call(() -> box.seal(fingerprint, key.scope(), id));
    }

    Uni<Boolean> isSameRequest(IdempotencyRecord stored, byte[] fingerprint) {
        return blocking.call(() -> MessageDigest.isEqual(open(stored.claim(), stored.request()), fingerprint));
    }

    Uni<byte[]> sealAnswer(Claim claim, Object answer) {
        return blocking.call(() -> box.seal(mapper.writeValueAsBytes(answer), claim.key().scope(), claim.id()));
    }

    Uni<Object> openAnswer(Claim claim, byte[] sealed, JavaType type) {
        return blocking.call(() -> mapper.readValue(open(claim, sealed), type));
    }

    private byte[] open(Claim claim, byte[] sealed) {
        return box.open(sealed, claim.key().scope(), claim.id());
    }
}
