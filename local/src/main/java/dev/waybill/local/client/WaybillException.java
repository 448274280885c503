package dev.waybill.local.client;

import com.fasterxml.jackson.databind.JsonNode;

/** A service answered something else than success. */
public final class WaybillException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int status;
    private final String body;

    WaybillException(int status, String request, String body) {
        super(request + " answered " + status + ": " + body);
        this.status = status;
        this.body = body;
    }

    /** @return the problem details that it answered */
    public JsonNode problem() {
        return Json.parse(body);
    }

    public int status() {
        return status;
    }
}
