package dev.waybill.common.page;

import java.util.List;
import java.util.function.Function;

/**
 * Part of a list and how long the whole list is.
 *
 * @param items the part that a {@link Page} asked for
 * @param total how many there are in all; the header {@code X-Pagination-Total} tells it
 */
public record Slice<T>(List<T> items, long total) {

    /** The header that tells {@link #total}. */
    public static final String TOTAL_HEADER = "X-Pagination-Total";

    /** The part as the wire shows it. */
    public static <E, T> Slice<T> of(List<E> items, Function<E, T> shown, long total) {
        return new Slice<>(items.stream().map(shown).toList(), total);
    }
}
