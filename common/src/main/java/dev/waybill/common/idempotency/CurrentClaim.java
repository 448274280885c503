package dev.waybill.common.idempotency;

import java.util.Optional;

import jakarta.enterprise.context.RequestScoped;

import org.jspecify.annotations.Nullable;

/** The claim that the present request works under, if it brought a key. */
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
