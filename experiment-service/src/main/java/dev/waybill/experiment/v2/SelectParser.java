package dev.waybill.experiment.v2;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;

/** Reads {@code selects}. */
final class SelectParser {

    private static final int MAX_SHOWN = 40;

    private SelectParser() {
    }

    /** Returns what is selected; {@code otherwise} alone when nothing is. Adds a violation for every unknown name. */
    static <E extends Enum<E>> Set<E> read(@Nullable List<String> names, E otherwise, Function<String, Optional<E>> named,
            List<Violation> violations) {
        Set<E> selects = EnumSet.noneOf(otherwise.getDeclaringClass());
        for (int i = 0; names != null && i < names.size(); i++) {
            Optional<E> select = named.apply(names.get(i));
            if (select.isPresent()) {
                selects.add(select.get());
            } else {
                violations.add(new Violation(
                        List.of("selects", i), "\"" + shown(names.get(i)) + "\" cannot be selected here; use "
                                + EnumSet.allOf(otherwise.getDeclaringClass()).stream().map(Enum::name)
                                        .collect(Collectors.joining(", ")),
                        "unknown"));
            }
        }
        return selects.isEmpty() ? EnumSet.of(otherwise) : selects;
    }

    /**
     * As above, of query parameters.
     *
     * @throws ProblemException 422 for unknown names
     */
    static <E extends Enum<E>> Set<E> require(List<String> names, E otherwise, Function<String, Optional<E>> named) {
        List<Violation> violations = new ArrayList<>();
        Set<E> selects = read(names, otherwise, named, violations);
        if (!violations.isEmpty()) {
            throw ProblemException.invalid(violations);
        }
        return selects;
    }

    private static String shown(String name) {
        return name.codePointCount(0, name.length()) <= MAX_SHOWN ? name
                : name.substring(0, name.offsetByCodePoints(0, MAX_SHOWN)) + "…";
    }
}
