package dev.waybill.common.problem;

/** The problem types that any service may return. */
public enum CommonProblem implements ProblemType {
    MALFORMED_REQUEST(400, "Malformed request"),
    UNAUTHENTICATED(401, "Authentication required"),
    FORBIDDEN(403, "Not allowed"),
    ORG_SCOPED_KEY_REQUIRES_WORKSPACE(403, "Workspace required"),
    PLAN_REQUIRED(403, "Plan does not include this"),
    NOT_FOUND(404, "Not found"),
    METHOD_NOT_ALLOWED(405, "Method not allowed"),
    NOT_ACCEPTABLE(406, "Not acceptable"),
    REQUEST_TIMEOUT(408, "Too slow"),
    CONFLICT(409, "Conflict"),
    TOO_LARGE(413, "Too large"),
    URI_TOO_LONG(414, "Address too long"),
    UNSUPPORTED_MEDIA_TYPE(415, "Unsupported media type"),
    INVALID(422, "Invalid request"),
    TOO_MANY_REQUESTS(429, "Too many requests"),
    HEADERS_TOO_LARGE(431, "Header fields too large"),
    INTERNAL(500, "Internal error"),
    NOT_IMPLEMENTED(501, "Not available yet"),
    UNAVAILABLE(503, "Temporarily unavailable");

    private final int status;
    private final String title;

    CommonProblem(int status, String title) {
        this.status = status;
        this.title = title;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public String title() {
        return title;
    }

    /** Returns the type for an HTTP status that another component set. */
    static CommonProblem ofStatus(int status) {
        return switch (status) {
            case 400 -> MALFORMED_REQUEST;
            case 401 -> UNAUTHENTICATED;
            case 403 -> FORBIDDEN;
            case 404 -> NOT_FOUND;
            case 405 -> METHOD_NOT_ALLOWED;
            case 406 -> NOT_ACCEPTABLE;
            case 408 -> REQUEST_TIMEOUT;
            case 409 -> CONFLICT;
            case 413 -> TOO_LARGE;
            case 414 -> URI_TOO_LONG;
            case 415 -> UNSUPPORTED_MEDIA_TYPE;
            case 422 -> INVALID;
            case 429 -> TOO_MANY_REQUESTS;
            case 431 -> HEADERS_TOO_LARGE;
            case 503 -> UNAVAILABLE;
            default -> status >= 500 ? INTERNAL : MALFORMED_REQUEST;
        };
    }
}
