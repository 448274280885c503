package dev.waybill.common.page;

import java.util.List;

import org.jboss.resteasy.reactive.RestResponse;

/**
 * A page of a list under {@code /v1} or {@code /v2} (contract.md "Everywhere").
 *
 * @param resources the page, newest first
 * @param offset where the next page begins
 */
public record Resources<T>(List<T> resources, int offset) {

    /** The answer to whoever asked for {@code page}, with the length of the whole list in a header. */
    public static <T> RestResponse<Resources<T>> answer(Slice<T> slice, Page page) {
        return RestResponse.ResponseBuilder.ok(new Resources<>(slice.items(), page.offset() + slice.items().size()))
                .header(Slice.TOTAL_HEADER, slice.total())
                .build();
    }
}
