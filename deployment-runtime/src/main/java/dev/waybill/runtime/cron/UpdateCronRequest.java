package dev.waybill.runtime.cron;

import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.json.JsonSize;
import dev.waybill.runtime.event.StreamMode.ValidStreamModes;
import dev.waybill.runtime.run.CreateThreadRunRequest;

/** Body of {@code PATCH /runs/crons/{cron_id}}; a missing member changes nothing. */
record UpdateCronRequest(
        @Nullable @Size(max = CreateCronRequest.MAX_SCHEDULE, message = "must have at most 255 characters") @Schema(description = "Minute, hour, day of the month, month, day of the week.", examples = "0 9 * * MON-FRI") String schedule,
        @Nullable @Size(max = CreateCronRequest.MAX_SCHEDULE, message = "must have at most 255 characters") @Schema(description = "Time zone of the schedule.", examples = "Europe/Berlin") String timezone,
        @Nullable @JsonSize(max = CreateCronRequest.MAX_SCHEDULE) @Schema(implementation = String.class, description = "Time after which no run starts; null: none.", examples = "2030-01-01T00:00:00Z") JsonNode endTime,
        @Nullable @Schema(description = "Whether runs start. Dates that pass while it is false start no run.") Boolean enabled,
        @Nullable @Pattern(regexp = "delete|keep", message = "must be delete or keep") String onRunCompleted,
        @Nullable @JsonSize(max = CreateCronRequest.MAX_BYTES) @Schema(implementation = Object.class, description = "Input of the graph; at most 256 KiB.") JsonNode input,
        @Nullable @JsonSize(max = CreateCronRequest.MAX_METADATA) @Schema(implementation = Object.class, description = "Replaces the earlier one; at most 64 KiB.") ObjectNode metadata,
        @Nullable @JsonSize(max = CreateCronRequest.MAX_BYTES) @Schema(implementation = Object.class) ObjectNode config,
        @Nullable @JsonSize(max = CreateCronRequest.MAX_BYTES) @Schema(implementation = Object.class) ObjectNode context,
        @Nullable @Size(max = 2048, message = "must have at most 2048 characters") String webhook,
        @Nullable @JsonSize(max = CreateCronRequest.MAX_METADATA) @Schema(implementation = Object.class) JsonNode interruptBefore,
        @Nullable @JsonSize(max = CreateCronRequest.MAX_METADATA) @Schema(implementation = Object.class) JsonNode interruptAfter,
        @Nullable @ValidStreamModes @Schema(implementation = Object.class, examples = "values") JsonNode streamMode,
        @Nullable Boolean streamSubgraphs,
        @Nullable Boolean streamResumable,
        @Nullable @Pattern(regexp = "sync|async|exit", message = "must be sync, async or exit") String durability) {

    /** Returns the changed members of the request for each run. */
    CreateThreadRunRequest toRun(String assistant) {
        return new CreateThreadRunRequest(assistant, input, null, config, context, metadata, streamMode, streamSubgraphs,
                streamResumable, null, webhook, null, null, null, null, interruptBefore, interruptAfter, null, null, null,
                durability);
    }

    /** Returns whether the dates of the runs change. */
    boolean changesDates() {
        return schedule != null || timezone != null || endTime != null || enabled != null;
    }
}
