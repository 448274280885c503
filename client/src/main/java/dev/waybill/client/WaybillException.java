package dev.waybill.client;

import java.util.List;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

/** A service returned an error status, usually with problem details (RFC 9457). */
public final class WaybillException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int status;
    private final transient JsonNode problem;

    WaybillException(int status, String request, String body) {
        super(request + " returned " + status + ": " + body);
        this.status = status;
        this.problem = WireJson.read(body).orElse(MissingNode.getInstance());
    }

    public int status() {
        return status;
    }

    /** Returns the type of the problem, a URN; programs compare its last part. */
    public @Nullable String type() {
        return problem.path("type").textValue();
    }

    public @Nullable String title() {
        return problem.path("title").textValue();
    }

    /** Returns one sentence for people. */
    public @Nullable String detail() {
        return problem.path("detail").textValue();
    }

    /** Returns the id to quote in support requests, which the service logs. */
    public @Nullable String requestId() {
        return problem.path("request_id").textValue();
    }

    /** Returns all violations of the request; empty unless the status is 422. */
    public List<JsonNode> errors() {
        return problem.path("errors").valueStream().toList();
    }

    /** Returns the whole body; a missing node if it is not JSON. */
    public JsonNode problem() {
        return problem;
    }
}
