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

    /** Returns the response for a page, with the total number of items in a header. */
    public static <T> RestResponse<Resources<T>> response(Page<T> page, PageParameters parameters) {
        return RestResponse.ResponseBuilder.ok(new Resources<>(page.items(), parameters.offset() + page.items().size()))
                .header(Page.TOTAL_HEADER, page.total())
                .build();
    }
}
