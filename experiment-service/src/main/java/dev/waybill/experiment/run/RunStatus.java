package dev.waybill.experiment.run;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Status of a run; pending until its end time or error is received. */
enum RunStatus {
    PENDING,
    SUCCESS,
    ERROR;

    private static final Set<String> NAMES = Arrays.stream(values())
            .map(RunStatus::toString)
            .collect(Collectors.toCollection(TreeSet::new));

    /** Derives the status of a run that was sent without one. */
    static RunStatus of(boolean failed, boolean ended) {
        return failed ? ERROR : ended ? SUCCESS : PENDING;
    }

    static boolean isValid(String name) {
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
