package dev.waybill.runtime.access;

import org.jspecify.annotations.Nullable;

import io.vertx.ext.web.RoutingContext;

/**
 * A key that the control plane vouched for, and whom it stood for then.
 *
 * @param key secret
 */
record CheckedKey(String key, String principal) {

    /** For whoever answers the request for long. */
    void noteIn(RoutingContext request) {
        request.put(CheckedKey.class.getName(), this);
    }

    /** What was noted; null for a request that needs nobody's word. */
    static @Nullable CheckedKey of(RoutingContext request) {
        return request.get(CheckedKey.class.getName());
    }

    @Override
    public String toString() {
        return "CheckedKey[" + principal + "]";
    }
}
