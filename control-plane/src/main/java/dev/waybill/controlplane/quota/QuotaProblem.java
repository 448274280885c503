package dev.waybill.controlplane.quota;

import java.util.Locale;

import dev.waybill.common.problem.ProblemType;

/** Problem types of this feature. */
enum QuotaProblem implements ProblemType {
    LIMIT_REACHED;

    @Override
    public String slug() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public int status() {
        return 403;
    }

    @Override
    public String title() {
        return "Limit reached";
    }
}
