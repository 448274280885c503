package dev.waybill.runtime.item;

import java.util.List;

/** Response of {@code POST /store/namespaces}. */
record NamespacesResponse(List<List<String>> namespaces) {
}
