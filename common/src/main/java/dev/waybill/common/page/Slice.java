package dev.waybill.common.page;

import java.util.List;
import java.util.function.Function;

/**
 * Part of a list with the size of the whole list.
 *
 * @param items items of the requested {@link Page}
 * @param total number of items in the whole list, returned in the header {@code X-Pagination-Total}
 */
public record Slice<T>(List<T> items, long total) {

    /** Response header for {@link #total}. */
    public static final String TOTAL_HEADER = "X-Pagination-Total";

    /** Returns a slice with the items mapped to their response form. */
    public static <E, T> Slice<T> of(List<E> items, Function<E, T> mapper, long total) {
        return new Slice<>(items.stream().map(mapper).toList(), total);
    }
}
