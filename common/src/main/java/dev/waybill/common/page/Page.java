package dev.waybill.common.page;

import java.util.List;
import java.util.function.Function;

/**
 * One page of a list, with the size of the whole list.
 *
 * @param items items of the requested {@link PageParameters}
 * @param total number of items in the whole list, returned in the header {@code X-Pagination-Total}
 */
public record Page<T>(List<T> items, long total) {

    /** Response header for {@link #total}. */
    public static final String TOTAL_HEADER = "X-Pagination-Total";

    /** Response header with the offset of the next page, if there is one, for clients of the public SDKs. */
    public static final String NEXT_HEADER = "X-Pagination-Next";

    /** Returns a page with the items mapped to their response form. */
    public static <E, T> Page<T> of(List<E> items, Function<E, T> mapper, long total) {
        return new Page<>(items.stream().map(mapper).toList(), total);
    }
}
