package dev.waybill.runtime.cron;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.json.JsonSize;
import dev.waybill.runtime.event.StreamMode.ValidStreamModes;
import dev.waybill.runtime.run.CreateThreadRunRequest;

/** Body of {@code POST /runs/crons} and {@code POST /threads/{thread_id}/runs/crons}. */
record CreateCronRequest(
        @NotBlank(message = "is required") @Schema(required = true, description = "Name of a graph, or id of an assistant.", examples = "agent") String assistantId,
        @NotBlank(message = "is required") @Size(max = MAX_SCHEDULE, message = "must have at most 255 characters") @Schema(required = true, description = "Minute, hour, day of the month, month, day of the week.", examples = "0 9 * * MON-FRI") String schedule,
        @Nullable @Size(max = MAX_SCHEDULE, message = "must have at most 255 characters") @Schema(defaultValue = "UTC", description = "Time zone of the schedule.", examples = "Europe/Berlin") String timezone,
        @Nullable @Size(max = MAX_SCHEDULE, message = "must have at most 255 characters") @Schema(description = "Time after which no run starts; without an offset, in UTC.", examples = "2030-01-01T00:00:00Z") String endTime,
        @Nullable @Schema(defaultValue = "true", description = "Whether runs start.") Boolean enabled,
        @Nullable @Pattern(regexp = "delete|keep", message = "must be delete or keep") @Schema(defaultValue = "delete", description = "Whether the threads of runs of a cron without a thread are deleted, ten minutes after the end of the run, or remain.") String onRunCompleted,
        @Nullable @JsonSize(max = MAX_BYTES) @Schema(implementation = Object.class, description = "Input of the graph; at most 256 KiB.") JsonNode input,
        @Nullable @JsonSize(max = MAX_METADATA) @Schema(implementation = Object.class, description = "Stored with the cron and its runs; at most 64 KiB.") ObjectNode metadata,
        @Nullable @JsonSize(max = MAX_BYTES) @Schema(implementation = Object.class, description = "Tags, recursion_limit, configurable.") ObjectNode config,
        @Nullable @JsonSize(max = MAX_BYTES) @Schema(implementation = Object.class) ObjectNode context,
        @Nullable @Size(max = 2048, message = "must have at most 2048 characters") @Schema(description = "URL to which each run is posted when it has ended.") String webhook,
        @Nullable @JsonSize(max = MAX_METADATA) @Schema(implementation = Object.class, description = "Nodes before which runs stop: a list, or * for all.") JsonNode interruptBefore,
        @Nullable @JsonSize(max = MAX_METADATA) @Schema(implementation = Object.class, description = "Nodes after which runs stop: a list, or * for all.") JsonNode interruptAfter,
        @Nullable @Pattern(regexp = "reject|interrupt|rollback|enqueue", message = "must be reject, interrupt, rollback or enqueue") @Schema(description = "Effect on the active runs of the thread; default enqueue. With reject, no run starts on a busy thread.", examples = "enqueue") String multitaskStrategy,
        @Nullable @ValidStreamModes @Schema(implementation = Object.class, description = "Stream modes of the runs, as in a request for a run.", examples = "values") JsonNode streamMode,
        @Nullable Boolean streamSubgraphs,
        @Nullable Boolean streamResumable,
        @Nullable @Schema(implementation = Object.class, description = "Replaced by durability; false is exit.") JsonNode checkpointDuring,
        @Nullable @Pattern(regexp = "sync|async|exit", message = "must be sync, async or exit") @Schema(defaultValue = "async") String durability) {

    static final int MAX_SCHEDULE = 255;
    static final int MAX_BYTES = 256 << 10;
    static final int MAX_METADATA = 64 << 10;

    /** Returns the request for each run. */
    CreateThreadRunRequest toRun() {
        return new CreateThreadRunRequest(assistantId, input, null, config, context, metadata, streamMode, streamSubgraphs,
                streamResumable, null, webhook, null, null, null, multitaskStrategy, interruptBefore, interruptAfter, null,
                null,
                checkpointDuring, durability);
    }
}
