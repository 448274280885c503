package dev.waybill.console.session;

import java.time.Instant;

/**
 * A session of a browser.
 *
 * @param apiKey the key that the services check at every request
 */
public record Session(String apiKey, Instant expiresAt) {

    @Override
    public String toString() {
        return "Session[expiresAt=" + expiresAt + "]";
    }
}
