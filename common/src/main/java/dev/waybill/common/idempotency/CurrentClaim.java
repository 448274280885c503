package dev.waybill.common.idempotency;

import java.util.Optional;

import jakarta.enterprise.context.RequestScoped;

import org.jspecify.annotations.Nullable;

/** The claim of the current request, if the request has an idempotency key. */
@RequestScoped
class CurrentClaim {

    private @Nullable Claim claim;

    void set(Claim claim) {
        this.claim = claim;
    }

    Optional<Claim> get() {
        return Optional.ofNullable(claim);
    }
}
