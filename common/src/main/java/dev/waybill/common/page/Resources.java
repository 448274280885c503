package dev.waybill.common.page;

import java.util.List;

import org.jboss.resteasy.reactive.RestResponse;

/**
 * The response of a list under {@code /v1} or {@code /v2}.
 *
 * @param resources items of the page, newest first
 * @param offset offset of the next page
 */
public record Resources<T>(List<T> resources, int offset) {

    /** Returns the response for {@code page}, with the total number of items in a header. */
    public static <T> RestResponse<Resources<T>> response(Slice<T> slice, Page page) {
        return RestResponse.ResponseBuilder.ok(new Resources<>(slice.items(), page.offset() + slice.items().size()))
                .header(Slice.TOTAL_HEADER, slice.total())
                .build();
    }
}
