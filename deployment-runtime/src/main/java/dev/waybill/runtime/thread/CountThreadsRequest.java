package dev.waybill.runtime.thread;

import java.util.List;

import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.storage.NoZeroCharacter;
import dev.waybill.runtime.storage.ThreadStorage.ThreadFilter;
import dev.waybill.runtime.storage.ThreadStorage.ThreadOrder;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;
import dev.waybill.runtime.storage.ValidFilter;

/** Body of {@code POST /threads/count}. */
record CountThreadsRequest(
        @Nullable @ValidFilter @NoZeroCharacter @Schema(implementation = Object.class, description = "Members that the metadata must contain.") ObjectNode metadata,
        @Nullable @ValidFilter @NoZeroCharacter @Schema(implementation = Object.class, description = "Members that the values must contain.") ObjectNode values,
        @Nullable @Schema(type = SchemaType.STRING, enumeration = {
                "idle", "busy", "interrupted", "error" }) ThreadStatus status){

    ThreadFilter filter() {
        return new ThreadFilter(List.of(), SearchThreadsRequest.text(metadata), SearchThreadsRequest.text(values), status,
                ThreadOrder.CREATED_AT, false, 0, 0);
    }
}
