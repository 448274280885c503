package dev.waybill.console.proxy;

import org.jspecify.annotations.Nullable;

import dev.waybill.console.service.Credential;

/**
 * Values that the console adds to a request of a browser.
 *
 * @param credential the key or token of the session
 * @param workspace value of {@code X-Tenant-Id}; null to send none
 * @param requestId id of the request in all logs
 * @param traceParent the span of the request; null without a collector
 * @param clientAddress the browser's IP address; null if unknown
 */
record Origin(Credential credential, @Nullable String workspace, String requestId, @Nullable String traceParent,
        @Nullable String clientAddress) {

    @Override
    public String toString() {
        return "Origin[requestId=" + requestId + "]";
    }
}
