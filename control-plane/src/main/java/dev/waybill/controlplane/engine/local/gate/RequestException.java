package dev.waybill.controlplane.engine.local.gate;

import java.io.IOException;

/** A client's request that is not passed on; the connection ends with its answer. */
final class RequestException extends IOException {

    private final transient ProxyError response;

    private RequestException(ProxyError response) {
        super(response.detail(), null);
        this.response = response;
    }

    /** Two readers could read it differently, or nobody could. */
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
