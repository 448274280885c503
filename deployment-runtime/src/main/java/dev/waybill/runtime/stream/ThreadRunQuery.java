package dev.waybill.runtime.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.page.PageParameters;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.runtime.run.RunStatus;
import dev.waybill.runtime.storage.RunStorage.CancelAction;

/**
 * Query of a list of runs.
 *
 * @param status null: any
 */
record ThreadRunQuery(PageParameters page, @Nullable RunStatus status) {

    private static final int DEFAULT_LIMIT = 10;
    private static final int MAX_LIMIT = 1_000;

    /** @throws ProblemException 422 with all violations */
    static ThreadRunQuery parse(@Nullable String limit, @Nullable String offset, @Nullable String status) {
        List<Violation> violations = new ArrayList<>();
        PageParameters page = PageParameters.parse(limit, offset, DEFAULT_LIMIT, MAX_LIMIT, violations);
        RunStatus parsed = constant(RunStatus.class, "status", status, violations);
        if (!violations.isEmpty()) {
            throw ProblemException.invalid(violations);
        }
        return new ThreadRunQuery(page, parsed);
    }

    /** @throws ProblemException 422 for an unknown action */
    static CancelAction action(@Nullable String action) {
        List<Violation> violations = new ArrayList<>();
        CancelAction parsed = constant(CancelAction.class, "action", action, violations);
        if (!violations.isEmpty()) {
            throw ProblemException.invalid(violations);
        }
        return parsed == null ? CancelAction.INTERRUPT : parsed;
    }

    private static <E extends Enum<E>> @Nullable E constant(Class<E> type, String name, @Nullable String value,
            List<Violation> violations) {
        if (value == null || value.isBlank()) {
            return null;
        }
        List<String> names = new ArrayList<>();
        for (E constant : type.getEnumConstants()) {
            names.add(constant.name().toLowerCase(Locale.ROOT));
            if (names.getLast().equals(value.strip())) {
                return constant;
            }
        }
        violations.add(Violation.of(name, "must be one of " + String.join(", ", names), "invalid"));
        return null;
    }
}
