package dev.waybill.console.session;

import java.time.Instant;

import dev.waybill.console.service.Credential;

/**
 * A session of a browser.
 *
 * @param credential the key or token that the services check at every request
 */
public record Session(Credential credential, Instant expiresAt) {

    @Override
    public String toString() {
        return "Session[expiresAt=" + expiresAt + "]";
    }
}
