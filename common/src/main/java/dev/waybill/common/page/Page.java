package dev.waybill.common.page;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;

/**
 * A window on a list, newest first (contract.md "Everywhere").
 *
 * @param limit how many at most
 * @param offset how many to leave out first
 */
public record Page(int limit, int offset) {

    /** The largest page that is answered. */
    public static final int MAX_LIMIT = 100;

    /** How many items the lists under {@code /v1} and {@code /v2} answer unless asked otherwise. */
    public static final int DEFAULT_LIMIT = 20;

    /** As {@link #parse(String, String, int)}, with the default limit of the lists under {@code /v1} and {@code /v2}. */
    public static Page parse(@Nullable String limit, @Nullable String offset) {
        return parse(limit, offset, DEFAULT_LIMIT);
    }

    /**
     * Reads the query parameters {@code limit} and {@code offset}.
     *
     * @throws ProblemException 422 with what is wrong with either
     */
    public static Page parse(@Nullable String limit, @Nullable String offset, int defaultLimit) {
        return parse(limit, offset, defaultLimit, MAX_LIMIT);
    }

    /** As above, with a largest page of its own for lists that come whole unless asked otherwise. */
    public static Page parse(@Nullable String limit, @Nullable String offset, int defaultLimit, int maxLimit) {
        List<Violation> violations = new ArrayList<>();
        Page page = parse(limit, offset, defaultLimit, maxLimit, violations);
        if (!violations.isEmpty()) {
            throw ProblemException.invalid(violations);
        }
        return page;
    }

    /**
     * As above for lists with filters: what is wrong is added to what is wrong with those, so that all of it is told at once.
     */
    public static Page parse(@Nullable String limit, @Nullable String offset, int defaultLimit, int maxLimit,
            List<Violation> violations) {
        int most = number("limit", limit, defaultLimit, 1, maxLimit, violations);
        int skipped = number("offset", offset, 0, 0, Integer.MAX_VALUE, violations);
        return new Page(most, skipped);
    }

    /**
     * Reads a page size under another name than limit.
     *
     * @throws ProblemException 422 with what is wrong with it
     */
    public static int parseSize(String name, @Nullable String size, int defaultSize) {
        List<Violation> violations = new ArrayList<>();
        int parsed = number(name, size, defaultSize, 1, MAX_LIMIT, violations);
        if (!violations.isEmpty()) {
            throw ProblemException.invalid(violations);
        }
        return parsed;
    }

    /** The position of the last item that is asked for, counted from 0. */
    public int last() {
        return (int) Math.min(Integer.MAX_VALUE, (long) offset + limit - 1);
    }

    private static int number(String name, @Nullable String text, int otherwise, int min, int max, List<Violation> violations) {
        if (text == null || text.isBlank()) {
            return otherwise;
        }
        try {
            int value = Integer.parseInt(text.strip());
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Told below, as any other value out of range.
        }
        String range = max == Integer.MAX_VALUE ? min + " or more" : min + " to " + max;
        violations.add(Violation.of(name, "must be a whole number, " + range, "invalid"));
        return otherwise;
    }
}
