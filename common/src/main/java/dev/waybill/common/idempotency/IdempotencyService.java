package dev.waybill.common.idempotency;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JavaType;

import dev.waybill.common.id.Ids;
import dev.waybill.common.idempotency.IdempotencyTable.Claim;
import dev.waybill.common.idempotency.IdempotencyTable.IdempotencyKey;
import dev.waybill.common.idempotency.IdempotencyTable.IdempotencyRecord;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import io.smallrye.mutiny.Uni;

/**
 * Decides whether a request executes its operation, gets a stored response or must retry later, as described in {@link
 * Idempotent}.
 */
@Singleton
class IdempotencyService {

    private static final Logger LOG = Logger.getLogger(IdempotencyService.class);

    private final IdempotencyTable table;
    private final CurrentClaim currentClaim;
    private final IdempotencyCipher cipher;
    private final Ids ids;

    IdempotencyService(IdempotencyTable table, CurrentClaim currentClaim, IdempotencyCipher cipher, Ids ids) {
        this.table = table;
        this.currentClaim = currentClaim;
        this.cipher = cipher;
        this.ids = ids;
    }

    /** Returns the response of {@code work}, which is executed at most once for a key. */
    Uni<Outcome> once(IdempotencyKey key, byte[] fingerprint, JavaType responseType, Supplier<Uni<?>> work) {
        UUID id = ids.newId();
        return cipher.encryptRequest(key, id, fingerprint)
                .chain(request -> table.claim(key, id, request))
                .chain(claimed -> claimed.isPresent()
                        ? execute(claimed.get(), work)
                        : replay(key, fingerprint, responseType, work));
    }

    private Uni<Outcome> execute(Claim claim, Supplier<Uni<?>> work) {
        currentClaim.set(claim);
        return Uni.createFrom().<Object> deferred(work::get)
                .onFailure().call(failure -> release(claim))
                .call(response -> storeResponse(claim, response))
                .map(response -> new Outcome(response, false));
    }

    // If the release fails as well, the lease expires; the caller gets the first failure.
    private Uni<?> release(Claim claim) {
        return table.release(claim)
                .onFailure()
                .invoke(failure -> LOG.warn("the idempotency key of a failed request could not be released", failure))
                .onFailure().recoverWithNull();
    }

    // The resource is already committed: a failure to store the response affects only later requests.
    private Uni<?> storeResponse(Claim claim, Object response) {
        return cipher.encryptResponse(claim, response)
                .<Object> chain(ciphertext -> table.store(claim, ciphertext))
                .onFailure().invoke(failure -> LOG.warn("the response to an idempotent request could not be stored", failure))
                .onFailure().recoverWithNull();
    }

    private Uni<Outcome> replay(IdempotencyKey key, byte[] fingerprint, JavaType responseType, Supplier<Uni<?>> work) {
        return table.find(key)
                .map(found -> found.orElseThrow(() -> inProgress(IdempotencyTable.MIN_RETRY_AFTER)))
                .call(stored -> cipher.isSameRequest(stored, fingerprint).invoke(IdempotencyService::requireSame))
                .chain(stored -> stored.response() == null
                        ? withoutResponse(stored, work)
                        : cipher.decryptResponse(stored.claim(), stored.response(), responseType)
                                .map(response -> new Outcome(response, true)));
    }

    private Uni<Outcome> withoutResponse(IdempotencyRecord stored, Supplier<Uni<?>> work) {
        if (stored.isInProgress()) {
            return Uni.createFrom().failure(() -> inProgress(table.retryAfter(stored)));
        }
        if (stored.createdId() != null) {
            return Uni.createFrom().failure(responseLost(stored.createdId()));
        }
        return table.takeOver(stored.claim())
                .map(reclaimed -> reclaimed.orElseThrow(() -> inProgress(table.retryAfter(stored))))
                .chain(claim -> execute(claim, work));
    }

    private static void requireSame(boolean same) {
        if (!same) {
            throw ProblemException.invalid(Violation.of(IdempotentInterceptor.HEADER,
                    "was already used for another request; use a new key", "reused"));
        }
    }

    private static ProblemException inProgress(Duration pause) {
        return ProblemException
                .conflict("The first request with this Idempotency-Key is still in progress, or its service has"
                        + " crashed; retry after the number of seconds in Retry-After.")
                .retryAfter(pause);
    }

    private static ProblemException responseLost(UUID createdId) {
        return ProblemException
                .conflict("The first request with this Idempotency-Key created " + createdId
                        + ", but its response was lost; read the resource, or delete it and use a new key.")
                .with("created_id", createdId);
    }

    /** @param replayed whether this is the stored response of an earlier request */
    record Outcome(Object response, boolean replayed) {
    }

    /** The claim of the current request, if the request has an idempotency key. */
    @RequestScoped
    static class CurrentClaim {

        private @Nullable Claim claim;

        void set(Claim claim) {
            this.claim = claim;
        }

        Optional<Claim> get() {
            return Optional.ofNullable(claim);
        }
    }
}
