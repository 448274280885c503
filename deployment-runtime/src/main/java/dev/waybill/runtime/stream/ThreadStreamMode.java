package dev.waybill.runtime.stream;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;

/** Events of a thread's stream. */
enum ThreadStreamMode {
    /** The events of its runs, and their ends. */
    RUN_MODES,
    /** Starts and ends of its runs. */
    LIFECYCLE,
    /** The states of the thread after updates by clients. */
    STATE_UPDATE;

    private static final String PARAMETER = "stream_mode";

    /**
     * Parses the parameter, which may be repeated.
     *
     * @throws ProblemException 422 for unknown modes
     */
    static Set<ThreadStreamMode> parse(@Nullable List<String> values) {
        Set<ThreadStreamMode> modes = EnumSet.noneOf(ThreadStreamMode.class);
        List<Violation> violations = new ArrayList<>();
        List<String> names = values == null ? List.of()
                : values.stream().flatMap(value -> Arrays.stream(value.split(","))).map(String::strip)
                        .filter(name -> !name.isEmpty()).toList();
        for (String name : names) {
            Arrays.stream(values()).filter(mode -> mode.toString().equals(name)).findFirst()
                    .ifPresentOrElse(modes::add, () -> violations.add(Violation.of(PARAMETER,
                            "must be run_modes, lifecycle or state_update", "invalid")));
        }
        if (!violations.isEmpty()) {
            throw ProblemException.invalid(violations);
        }
        return modes.isEmpty() ? EnumSet.of(RUN_MODES) : modes;
    }

    /** Returns the query of a request with the modes: clients that lost their connection send no other one. */
    static String query(Set<ThreadStreamMode> modes) {
        return modes.stream().map(mode -> PARAMETER + "=" + mode).collect(Collectors.joining("&"));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
