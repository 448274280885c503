package dev.waybill.runtime.item;

import java.time.Instant;
import java.util.List;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import com.fasterxml.jackson.annotation.JsonRawValue;

import dev.waybill.runtime.storage.ItemStorage.Item;

/** An item in responses. */
record ItemResponse(List<String> namespace, String key, @JsonRawValue @Schema(implementation = Object.class) String value,
        Instant createdAt, Instant updatedAt) {

    static ItemResponse from(Item item) {
        return new ItemResponse(item.namespace(), item.key(), item.value(), item.createdAt(), item.updatedAt());
    }
}
