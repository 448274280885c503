package dev.waybill.runtime.cron;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.storage.CronStorage.CronSettings;
import dev.waybill.runtime.storage.CronStorage.StoredCron;
import dev.waybill.runtime.storage.JsonText;

/** A cron in responses. */
record CronResponse(
        UUID cronId,
        UUID assistantId,
        @Nullable @Schema(description = "Thread of the runs; null if each run gets a thread of its own.") UUID threadId,
        @Schema(enumeration = {
                "delete", "keep" }) String onRunCompleted,
        @Nullable Instant endTime,
        @Schema(examples = "0 9 * * MON-FRI") String schedule,
        @Nullable @Schema(description = "Time zone of the schedule; null: UTC.") String timezone,
        Instant createdAt,
        Instant updatedAt,
        @Schema(implementation = Object.class, description = "Members of the requests for the runs.") ObjectNode payload,
        @Nullable @Schema(description = "Always null.") String userId,
        @Nullable @Schema(description = "Date of the next run; null if there is none.") Instant nextRunDate,
        @Schema(implementation = Object.class) ObjectNode metadata,
        boolean enabled){

    static CronResponse from(StoredCron cron) {
        CronSettings settings = cron.settings();
        return new CronResponse(cron.id(), settings.assistant(), settings.thread(), settings.keepsThreads() ? "keep" : "delete",
                settings.end(), settings.schedule(), settings.zone(), cron.createdAt(), cron.updatedAt(),
                JsonText.object(settings.payload()), null, cron.next(), JsonText.object(settings.metadata()),
                settings.enabled());
    }
}
