package dev.waybill.local.client;

import com.fasterxml.jackson.databind.JsonNode;

/** A service returned an error status. */
public final class WaybillException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int status;
    private final String body;

    WaybillException(int status, String request, String body) {
        super(request + " returned " + status + ": " + body);
        this.status = status;
        this.body = body;
    }

    /** Returns the problem details in the response body. */
    public JsonNode problem() {
        return Json.parse(body);
    }

    public int status() {
        return status;
    }
}
