package dev.waybill.controlplane.engine.local.proxy;

import java.io.IOException;

/** Rejects a client's request; the connection closes after the error response. */
final class RequestException extends IOException {

    private final transient ProxyError response;

    private RequestException(ProxyError response) {
        super(response.detail(), null);
        this.response = response;
    }

    /** Creates the error of a malformed or ambiguous request. */
    static RequestException malformed(String detail) {
        return new RequestException(new ProxyError(400, "Bad Request", "malformed_request", "Malformed request", detail));
    }

    static RequestException tooSlow(String detail) {
        return new RequestException(new ProxyError(408, "Request Timeout", "request_timeout", "Too slow", detail));
    }

    static RequestException headTooLarge(String detail) {
        return new RequestException(new ProxyError(431, "Request Header Fields Too Large", "malformed_request",
                "Malformed request", detail));
    }

    static RequestException busy(String detail) {
        return new RequestException(new ProxyError(503, "Service Unavailable", "unavailable", "Temporarily unavailable",
                detail));
    }

    ProxyError response() {
        return response;
    }
}
