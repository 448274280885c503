package dev.waybill.experiment.v2;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/** Members of a trace that {@code selects} accepts: members of its root run. */
enum ThreadTraceSelect {
    THREAD_ID(RunSelect.THREAD_ID),
    TRACE_ID(RunSelect.TRACE_ID),
    NAME(RunSelect.NAME),
    START_TIME(RunSelect.START_TIME),
    END_TIME(RunSelect.END_TIME),
    LATENCY(RunSelect.LATENCY_SECONDS),
    FIRST_TOKEN_TIME(RunSelect.FIRST_TOKEN_TIME),
    INPUTS(RunSelect.INPUTS),
    INPUTS_PREVIEW(RunSelect.INPUTS_PREVIEW),
    OUTPUTS(RunSelect.OUTPUTS),
    OUTPUTS_PREVIEW(RunSelect.OUTPUTS_PREVIEW),
    ERROR(RunSelect.ERROR),
    ERROR_PREVIEW(RunSelect.ERROR_PREVIEW),
    PROMPT_TOKENS(RunSelect.PROMPT_TOKENS),
    COMPLETION_TOKENS(RunSelect.COMPLETION_TOKENS),
    TOTAL_TOKENS(RunSelect.TOTAL_TOKENS),
    PROMPT_COST(RunSelect.PROMPT_COST),
    COMPLETION_COST(RunSelect.COMPLETION_COST),
    TOTAL_COST(RunSelect.TOTAL_COST),
    PROMPT_TOKEN_DETAILS(RunSelect.PROMPT_TOKEN_DETAILS),
    COMPLETION_TOKEN_DETAILS(RunSelect.COMPLETION_TOKEN_DETAILS),
    PROMPT_COST_DETAILS(RunSelect.PROMPT_COST_DETAILS),
    COMPLETION_COST_DETAILS(RunSelect.COMPLETION_COST_DETAILS);

    private static final Map<String, ThreadTraceSelect> BY_NAME = Arrays.stream(values())
            .collect(Collectors.toUnmodifiableMap(Enum::name, Function.identity()));

    private final RunSelect member;

    ThreadTraceSelect(RunSelect member) {
        this.member = member;
    }

    static Optional<ThreadTraceSelect> of(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    RunSelect member() {
        return member;
    }

    /** Converts the version 1 members of the root run to the selected members of the trace. */
    static Map<String, @Nullable Object> select(Set<ThreadTraceSelect> selects, Map<String, @Nullable Object> root) {
        Map<String, @Nullable Object> selected = new LinkedHashMap<>();
        for (ThreadTraceSelect select : selects) {
            Map<String, @Nullable Object> one = RunSelect.select(Set.of(select.member), root);
            selected.put(select.name().toLowerCase(Locale.ROOT), one.get(select.member.name().toLowerCase(Locale.ROOT)));
        }
        return selected;
    }
}
