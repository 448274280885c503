package dev.waybill.runtime.item;

import java.util.List;

/** Response of {@code POST /store/items/search}. */
record ItemsResponse(List<ItemResponse> items) {
}
