package dev.waybill.common.filter;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.Violation;

/** Reads the members of requests that hold filters. */
public final class FilterMembers {

    private FilterMembers() {
    }

    /** The filter that a member holds; null where there is none, or where {@code violations} tells what is wrong with it. */
    public static @Nullable Filter read(String member, @Nullable String text, List<Violation> violations) {
        if (text == null) {
            return null;
        }
        try {
            return FilterParser.parse(text);
        } catch (FilterSyntaxException mistake) {
            violations.add(Violation.of(member, String.valueOf(mistake.getMessage()), FilterSyntaxException.TYPE)
                    .with("position", mistake.position())
                    .with("expected", mistake.expected()));
            return null;
        }
    }
}
