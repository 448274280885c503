package dev.waybill.common.filter;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.Violation;

/** Parses request members that contain filters. */
public final class FilterMembers {

    private FilterMembers() {
    }

    /**
     * Returns the parsed filter of a member; null if it is absent or invalid, in which case a violation is added to {@code
     * violations}.
     */
    public static @Nullable Filter read(String member, @Nullable String text, List<Violation> violations) {
        if (text == null) {
            return null;
        }
        try {
            return FilterParser.parse(text);
        } catch (FilterSyntaxException error) {
            violations.add(Violation.of(member, String.valueOf(error.getMessage()), FilterSyntaxException.TYPE)
                    .with("position", error.position())
                    .with("expected", error.expected()));
            return null;
        }
    }
}
