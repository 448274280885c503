package dev.waybill.runtime.thread;

import java.time.Instant;
import java.util.Set;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;

import dev.waybill.runtime.storage.ThreadStorage.StoredThread;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;
import dev.waybill.runtime.thread.SearchThreadsRequest.Member;

/** A thread in responses. Members that were not selected are missing; stored JSON is written unchanged. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ThreadResponse(
        @Nullable UUID threadId,
        @Nullable Instant createdAt,
        @Nullable Instant updatedAt,
        @Nullable @Schema(description = "Time of the last change of the values; until then that of the creation.") Instant stateUpdatedAt,
        @Nullable @JsonRawValue @Schema(implementation = Object.class) String metadata,
        @Nullable @Schema(type = SchemaType.STRING, enumeration = {
                "idle", "busy", "interrupted", "error" }) ThreadStatus status,
        @Nullable @JsonRawValue @Schema(implementation = Object.class) String config,
        @Nullable @JsonRawValue @Schema(implementation = Object.class, description = "Values of the last run; null before the first one has ended.") String values,
        @Nullable @JsonRawValue @Schema(implementation = Object.class, description = "Interrupts by the ids of their tasks.") String interrupts,
        @Nullable @JsonRawValue @Schema(implementation = Object.class, description = "Error of the last run; only in status error.") String error){

    static ThreadResponse from(StoredThread thread) {
        Instant stateUpdatedAt = thread.stateUpdatedAt();
        return new ThreadResponse(thread.key().thread(), thread.createdAt(), thread.updatedAt(),
                stateUpdatedAt == null ? thread.createdAt() : stateUpdatedAt, thread.metadata(), thread.status(),
                thread.config(), stateUpdatedAt == null ? "null" : thread.state(), thread.interrupts(), thread.error());
    }

    ThreadResponse select(Set<Member> members) {
        return new ThreadResponse(
                members.contains(Member.THREAD_ID) ? threadId : null,
                members.contains(Member.CREATED_AT) ? createdAt : null,
                members.contains(Member.UPDATED_AT) ? updatedAt : null,
                members.contains(Member.STATE_UPDATED_AT) ? stateUpdatedAt : null,
                members.contains(Member.METADATA) ? metadata : null,
                members.contains(Member.STATUS) ? status : null,
                members.contains(Member.CONFIG) ? config : null,
                members.contains(Member.VALUES) ? values : null,
                members.contains(Member.INTERRUPTS) ? interrupts : null,
                members.contains(Member.ERROR) ? error : null);
    }
}
