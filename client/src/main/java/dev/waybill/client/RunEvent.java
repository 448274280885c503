package dev.waybill.client;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An event of a streamed run.
 *
 * @param id position in the stream, for {@code Last-Event-ID}; null unless the run is resumable
 * @param name such as {@code updates} or {@code end}
 */
public record RunEvent(@Nullable String id, String name, JsonNode data) {
}
