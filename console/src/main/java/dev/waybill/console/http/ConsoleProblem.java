package dev.waybill.console.http;

import dev.waybill.common.problem.ProblemType;

/** The problem types of the console's own responses, in addition to the common ones. */
public enum ConsoleProblem implements ProblemType {

    SESSION_REQUIRED(401, "Session required"),
    INVALID_API_KEY(401, "Invalid API key"),
    INVALID_SIGN_IN_CODE(401, "Invalid sign-in code"),
    CROSS_ORIGIN_REQUEST(403, "Cross-origin request"),
    HTTPS_REQUIRED(403, "HTTPS required");

    private final int status;
    private final String title;

    ConsoleProblem(int status, String title) {
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
}
