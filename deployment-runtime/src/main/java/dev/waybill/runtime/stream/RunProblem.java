package dev.waybill.runtime.stream;

import java.util.Locale;

import dev.waybill.common.problem.ProblemType;

/** Problem types of runs. */
enum RunProblem implements ProblemType {
    EVENTS_GONE(410, "Events are gone");

    private final int status;
    private final String title;

    RunProblem(int status, String title) {
        this.status = status;
        this.title = title;
    }

    @Override
    public String slug() {
        return name().toLowerCase(Locale.ROOT);
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
