package dev.waybill.bench;

import java.util.Locale;

/** Relation between a result and the limit of its goal. */
public enum Goal {

    AT_MOST("<="),
    AT_LEAST(">="),
    NONE("");

    private final String sign;

    Goal(String sign) {
        this.sign = sign;
    }

    boolean isMet(double value, double limit) {
        return switch (this) {
            case AT_MOST -> value <= limit;
            case AT_LEAST -> value >= limit;
            case NONE -> true;
        };
    }

    String description(double value, double limit) {
        return this == NONE ? ""
                : String.format(Locale.ROOT, "%s %.2f %s", sign, limit, isMet(value, limit) ? "met" : "MISSED");
    }
}
