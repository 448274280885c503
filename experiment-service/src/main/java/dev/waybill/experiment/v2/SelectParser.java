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

/** Parses the {@code selects} of a request. */
final class SelectParser {

    private static final int MAX_NAME_LENGTH = 40;

    private SelectParser() {
    }

    /**
     * Returns the selected members, or {@code defaultMember} if none is selected. Adds a violation for every unknown
     * name.
     */
    static <E extends Enum<E>> Set<E> read(@Nullable List<String> names, E defaultMember, Function<String, Optional<E>> lookup,
            List<Violation> violations) {
        Set<E> selects = EnumSet.noneOf(defaultMember.getDeclaringClass());
        for (int i = 0; names != null && i < names.size(); i++) {
            Optional<E> select = lookup.apply(names.get(i));
            if (select.isPresent()) {
                selects.add(select.get());
            } else {
                violations.add(new Violation(
                        List.of("selects", i), "\"" + truncate(names.get(i)) + "\" cannot be selected here; use "
                                + EnumSet.allOf(defaultMember.getDeclaringClass()).stream().map(Enum::name)
                                        .collect(Collectors.joining(", ")),
                        "unknown"));
            }
        }
        return selects.isEmpty() ? EnumSet.of(defaultMember) : selects;
    }

    /**
     * Returns the selected members, or {@code defaultMember} if none is selected.
     *
     * @throws ProblemException 422 for unknown names
     */
    static <E extends Enum<E>> Set<E> require(List<String> names, E defaultMember, Function<String, Optional<E>> lookup) {
        List<Violation> violations = new ArrayList<>();
        Set<E> selects = read(names, defaultMember, lookup, violations);
        if (!violations.isEmpty()) {
            throw ProblemException.invalid(violations);
        }
        return selects;
    }

    private static String truncate(String name) {
        return name.codePointCount(0, name.length()) <= MAX_NAME_LENGTH ? name
                : name.substring(0, name.offsetByCodePoints(0, MAX_NAME_LENGTH)) + "…";
    }
}
