package dev.waybill.client;

import java.util.List;

/**
 * A page of a list under {@code /v1} or {@code /v2}.
 *
 * @param resources items of the page, newest first
 * @param offset offset of the next page
 */
public record Page<T>(List<T> resources, int offset) {
}
