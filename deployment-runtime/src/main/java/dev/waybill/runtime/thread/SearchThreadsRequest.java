package dev.waybill.runtime.thread;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.storage.NoZeroCharacter;
import dev.waybill.runtime.storage.ThreadStorage.ThreadFilter;
import dev.waybill.runtime.storage.ThreadStorage.ThreadOrder;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;
import dev.waybill.runtime.storage.ValidFilter;

/** Body of {@code POST /threads/search}. */
record SearchThreadsRequest(
        @Nullable @Size(max = 1000, message = "must have at most 1000 elements") List<UUID> ids,
        @Nullable @ValidFilter @NoZeroCharacter @Schema(implementation = Object.class, description = "Members that the metadata must contain.") ObjectNode metadata,
        @Nullable @ValidFilter @NoZeroCharacter @Schema(implementation = Object.class, description = "Members that the values must contain.") ObjectNode values,
        @Nullable @Schema(type = SchemaType.STRING, enumeration = {
                "idle", "busy", "interrupted", "error" }) ThreadStatus status,
        @Nullable @Min(value = 1, message = "must be 1 to 1000") @Max(value = 1000, message = "must be 1 to 1000") @Schema(defaultValue = "10") Integer limit,
        @Nullable @Min(value = 0, message = "must be 0 or more") @Schema(defaultValue = "0") Integer offset,
        @Nullable @Schema(defaultValue = "created_at") SortBy sortBy,
        @Nullable @Schema(defaultValue = "desc") SortOrder sortOrder,
        @Nullable @Schema(description = "Members of the threads to return; default: all.") List<Member> select,
        @Nullable @Schema(implementation = Object.class, description = "Rejected unless empty: extracted values are not supported.") ObjectNode extract){

    private static final int DEFAULT_LIMIT = 10;

    ThreadFilter filter() {
        return new ThreadFilter(ids == null ? List.of() : ids, text(metadata), text(values), status,
                sortBy == null ? ThreadOrder.CREATED_AT : sortBy.order, sortOrder == SortOrder.ASC,
                limit == null ? DEFAULT_LIMIT : limit, skipped());
    }

    /** Returns the number of threads before the page. */
    int skipped() {
        return offset == null ? 0 : offset;
    }

    Set<Member> selected() {
        return select == null || select.isEmpty() ? EnumSet.allOf(Member.class) : EnumSet.copyOf(select);
    }

    static @Nullable String text(@Nullable ObjectNode filter) {
        return filter == null ? null : filter.toString();
    }

    /** Members of a thread. */
    @Schema(name = "ThreadMember", enumeration = { "thread_id", "created_at", "updated_at", "state_updated_at", "metadata",
            "config",
            "context", "status", "values", "interrupts", "error" })
    enum Member {
        THREAD_ID,
        CREATED_AT,
        UPDATED_AT,
        STATE_UPDATED_AT,
        METADATA,
        CONFIG,
        CONTEXT,
        STATUS,
        VALUES,
        INTERRUPTS,
        ERROR;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Members by which threads are ordered. */
    @Schema(enumeration = { "thread_id", "status", "created_at", "updated_at", "state_updated_at" })
    enum SortBy {
        THREAD_ID(ThreadOrder.THREAD_ID),
        STATUS(ThreadOrder.STATUS),
        CREATED_AT(ThreadOrder.CREATED_AT),
        UPDATED_AT(ThreadOrder.UPDATED_AT),
        STATE_UPDATED_AT(ThreadOrder.STATE_UPDATED_AT);

        private final ThreadOrder order;

        SortBy(ThreadOrder order) {
            this.order = order;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Direction of an order. */
    @Schema(enumeration = { "asc", "desc" })
    enum SortOrder {
        ASC,
        DESC;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
