package dev.waybill.common.page;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;

/**
 * Which part of a list is requested.
 *
 * @param limit maximum number of items
 * @param offset number of items to skip
 */
public record PageParameters(int limit, int offset) {

    /** Maximum page size. */
    public static final int MAX_LIMIT = 100;

    /** Default page size of the lists under {@code /v1} and {@code /v2}. */
    public static final int DEFAULT_LIMIT = 20;

    /** Like {@link #parse(String, String, int)}, with the default limit of the lists under {@code /v1} and {@code /v2}. */
    public static PageParameters parse(@Nullable String limit, @Nullable String offset) {
        return parse(limit, offset, DEFAULT_LIMIT);
    }

    /**
     * Parses the query parameters {@code limit} and {@code offset}.
     *
     * @throws ProblemException 422 with all violations
     */
    public static PageParameters parse(@Nullable String limit, @Nullable String offset, int defaultLimit) {
        return parse(limit, offset, defaultLimit, MAX_LIMIT);
    }

    /** Like {@link #parse(String, String, int)}, with a maximum page size for lists that are returned completely by default. */
    public static PageParameters parse(@Nullable String limit, @Nullable String offset, int defaultLimit, int maxLimit) {
        List<Violation> violations = new ArrayList<>();
        PageParameters page = parse(limit, offset, defaultLimit, maxLimit, violations);
        ProblemException.throwIfAny(violations);
        return page;
    }

    /**
     * Like {@link #parse(String, String, int, int)}, but adds violations to {@code violations}, so that the response can report
     * them together with those of other parameters.
     */
    public static PageParameters parse(@Nullable String limit, @Nullable String offset, int defaultLimit, int maxLimit,
            List<Violation> violations) {
        int parsedLimit = number("limit", limit, defaultLimit, 1, maxLimit, violations);
        int parsedOffset = number("offset", offset, 0, 0, Integer.MAX_VALUE, violations);
        return new PageParameters(parsedLimit, parsedOffset);
    }

    /**
     * Parses a page size from a parameter with another name than {@code limit}.
     *
     * @throws ProblemException 422 with the violation
     */
    public static int parseSize(String name, @Nullable String size, int defaultSize) {
        List<Violation> violations = new ArrayList<>();
        int parsed = number(name, size, defaultSize, 1, MAX_LIMIT, violations);
        ProblemException.throwIfAny(violations);
        return parsed;
    }

    private static int number(String name, @Nullable String text, int defaultValue, int min, int max,
            List<Violation> violations) {
        if (text == null || text.isBlank()) {
            return defaultValue;
        }
        try {
            int value = Integer.parseInt(text.strip());
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Reported below, like any other invalid value.
        }
        String range = max == Integer.MAX_VALUE ? min + " or more" : min + " to " + max;
        violations.add(Violation.of(name, "must be a whole number, " + range, "invalid"));
        return defaultValue;
    }
}
