package dev.waybill.runtime.access;

import org.jspecify.annotations.Nullable;

import io.vertx.ext.web.RoutingContext;

/**
 * A key that the control plane verified, and the name of its principal at that time.
 *
 * @param key secret
 */
record VerifiedKey(String key, String principal) {

    /** Stores this key in the request, for {@link KeyRecheckTimer}. */
    void attachTo(RoutingContext request) {
        request.put(VerifiedKey.class.getName(), this);
    }

    /** Returns the key stored in the request; null for a request with a configured key or without one. */
    static @Nullable VerifiedKey of(RoutingContext request) {
        return request.get(VerifiedKey.class.getName());
    }

    @Override
    public String toString() {
        return "VerifiedKey[" + principal + "]";
    }
}
