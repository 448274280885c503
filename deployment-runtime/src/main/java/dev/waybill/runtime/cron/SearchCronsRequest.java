package dev.waybill.runtime.cron;

import java.util.List;
import java.util.Locale;
import java.util.UUID;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.storage.CronStorage.CronFilter;
import dev.waybill.runtime.storage.CronStorage.CronOrder;
import dev.waybill.runtime.storage.ValidFilter;

/** Filter for crons, which must match all given members. Body of {@code POST /runs/crons/search} and {@code count}. */
record SearchCronsRequest(
        @Nullable @Schema(description = "Id of the assistant.") UUID assistantId,
        @Nullable @Schema(description = "Id of the thread.") UUID threadId,
        @Nullable Boolean enabled,
        @Nullable @ValidFilter @Schema(implementation = Object.class, description = "Members that the metadata must contain.") ObjectNode metadata,
        @Nullable @Min(value = 1, message = "must be 1 to 100") @Max(value = 100, message = "must be 1 to 100") @Schema(defaultValue = "10") Integer limit,
        @Nullable @Min(value = 0, message = "must be 0 or more") @Schema(defaultValue = "0") Integer offset,
        @Nullable @Pattern(regexp = "cron_id|assistant_id|thread_id|created_at|updated_at|next_run_date", message = "must be cron_id, assistant_id, thread_id, created_at, updated_at or next_run_date") @Schema(defaultValue = "created_at") String sortBy,
        @Nullable @Pattern(regexp = "asc|desc", message = "must be asc or desc") @Schema(defaultValue = "desc") String sortOrder,
        @Nullable @Schema(description = "Members of the crons to return; default: all.") List<Member> select) {

    private static final int DEFAULT_LIMIT = 10;

    CronFilter filter() {
        return new CronFilter(assistantId, threadId, enabled, metadata == null ? null : metadata.toString(),
                sortBy == null ? CronOrder.CREATED_AT : CronOrder.valueOf(sortBy.toUpperCase(Locale.ROOT)),
                "asc".equals(sortOrder), limit == null ? DEFAULT_LIMIT : limit, skipped());
    }

    /** Returns the number of crons before the page. */
    int skipped() {
        return offset == null ? 0 : offset;
    }

    /** Returns the names of the members to return; empty for all. */
    List<String> selected() {
        return select == null ? List.of() : select.stream().map(Member::toString).toList();
    }

    /** Members of a cron; there is no {@code now}, which clients may name. */
    @Schema(name = "CronMember", enumeration = { "cron_id", "assistant_id", "thread_id", "on_run_completed", "end_time",
            "schedule", "timezone", "created_at", "updated_at", "payload", "user_id", "next_run_date", "metadata", "enabled",
            "now" })
    enum Member {
        CRON_ID,
        ASSISTANT_ID,
        THREAD_ID,
        ON_RUN_COMPLETED,
        END_TIME,
        SCHEDULE,
        TIMEZONE,
        CREATED_AT,
        UPDATED_AT,
        PAYLOAD,
        USER_ID,
        NEXT_RUN_DATE,
        METADATA,
        ENABLED,
        NOW;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
