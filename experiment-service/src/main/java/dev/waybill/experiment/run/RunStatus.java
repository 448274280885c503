package dev.waybill.experiment.run;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** How a run stands: pending until its end was received. */
enum RunStatus {
    PENDING,
    SUCCESS,
    ERROR;

    private static final Set<String> NAMES = Arrays.stream(values())
            .map(RunStatus::toString)
            .collect(Collectors.toCollection(TreeSet::new));

    /** What the run's other members say, where it gives no status itself. */
    static RunStatus of(boolean failed, boolean ended) {
        return failed ? ERROR : ended ? SUCCESS : PENDING;
    }

    static boolean isOne(String name) {
        return NAMES.contains(name);
    }

    static String names() {
        return String.join(", ", NAMES);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
