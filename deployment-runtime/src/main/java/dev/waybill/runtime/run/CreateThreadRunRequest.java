package dev.waybill.runtime.run;

import java.math.BigDecimal;
import java.util.List;

import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.waybill.common.json.JsonSize;
import dev.waybill.common.problem.Violation;
import dev.waybill.runtime.event.StreamMode.ValidStreamModes;
import dev.waybill.runtime.run.CreateRunRequest.OnDisconnect;

/** Body of {@code POST /threads/{thread_id}/runs}, {@code /runs/stream} and {@code /runs/wait} (docs/decisions/0170). */
public record CreateThreadRunRequest(
        @NotBlank(message = "is required") @Schema(required = true, description = "Name or id of an assistant.", examples = "agent") String assistantId,
        @Nullable @Schema(implementation = Object.class, description = "Input of the graph: any JSON value. Without one, and with null, the run continues at its checkpoint.", examples = "{\"messages\": [{\"role\": \"user\", \"content\": \"hello\"}]}") JsonNode input,
        @Nullable @Schema(type = org.eclipse.microprofile.openapi.annotations.enums.SchemaType.OBJECT, implementation = Object.class, description = "Resumes an interrupted run with resume, or changes the state with update and goto; an alternative to input.") ObjectNode command,
        @Nullable @Schema(implementation = Object.class, description = "Tags, recursion_limit, configurable.") ObjectNode config,
        @Nullable @Schema(implementation = Object.class) ObjectNode context,
        @Nullable @JsonSize(max = MAX_METADATA_BYTES) @Schema(implementation = Object.class, description = "Stored with the run and returned with it; at most 64 KiB.") ObjectNode metadata,
        @Nullable @ValidStreamModes @Schema(implementation = Object.class, description = "One of values, updates, messages, messages-tuple, custom, events, debug, tasks, checkpoints, tools, or a list of them; default values.", examples = "updates") JsonNode streamMode,
        @Nullable @Schema(defaultValue = "false", description = "Whether events of subgraphs are sent as well, named mode|subgraph.") Boolean streamSubgraphs,
        @Nullable @Schema(defaultValue = "false", description = "Whether GET /threads/{thread_id}/runs/{run_id}/stream can resume the stream after a lost connection.") Boolean streamResumable,
        @Nullable @Schema(implementation = OnDisconnect.class, defaultValue = "cancel") OnDisconnect onDisconnect,
        @Nullable @Size(max = 2048, message = "must have at most 2048 characters") @Schema(description = "URL to which the run is posted when it has ended.") String webhook,
        @Nullable @DecimalMin(value = "0", message = "must be 0 to 86400") @DecimalMax(value = "86400", message = "must be 0 to 86400") @Schema(defaultValue = "0", description = "Delay in seconds before the run starts.") BigDecimal afterSeconds,
        @Nullable @Pattern(regexp = CreateRunRequest.ON_COMPLETION, message = CreateRunRequest.ON_COMPLETION_MESSAGE) @Schema(description = "Accepted and ignored: the thread remains.", examples = "keep") String onCompletion,
        @Nullable @Pattern(regexp = "create|reject", message = "must be create or reject") @Schema(description = "Whether a run on a missing thread creates it; default reject.", examples = "create") String ifNotExists,
        @Nullable @Pattern(regexp = "reject|interrupt|rollback|enqueue", message = "must be reject, interrupt, rollback or enqueue") @Schema(description = "Effect on the active runs of the thread; default enqueue.", examples = "enqueue") String multitaskStrategy,
        @Nullable @Schema(implementation = Object.class, description = "Nodes before which the run stops: a list, or * for all.", examples = "[\"approve\"]") JsonNode interruptBefore,
        @Nullable @Schema(implementation = Object.class, description = "Nodes after which the run stops: a list, or * for all.", examples = "[\"plan\"]") JsonNode interruptAfter,
        @Nullable @Schema(implementation = Object.class, description = "Checkpoint of the thread from which the run forks: checkpoint_id, checkpoint_ns, checkpoint_map.") JsonNode checkpoint,
        @Nullable @Schema(implementation = Object.class, description = "Id of the checkpoint of the thread from which the run forks.") JsonNode checkpointId,
        @Nullable @Schema(implementation = Object.class, description = "Replaced by durability; false is exit.") JsonNode checkpointDuring,
        @Nullable @Pattern(regexp = "sync|async|exit", message = "must be sync, async or exit") @Schema(defaultValue = "async", description = "When the run stores its checkpoints: before the next step, during it, or at the end.", examples = "async") String durability) {

    private static final int MAX_METADATA_BYTES = 64 << 10;

    /** Returns the violations of the rules of the members. */
    public List<Violation> violations() {
        return ThreadMembers.violations(this);
    }

    /** Returns a copy with another member of the metadata. */
    public CreateThreadRunRequest withMetadata(String name, String value) {
        ObjectNode changed = metadata == null ? JsonNodeFactory.instance.objectNode() : metadata.deepCopy();
        return new CreateThreadRunRequest(assistantId, input, command, config, context, changed.put(name, value), streamMode,
                streamSubgraphs, streamResumable, onDisconnect, webhook, afterSeconds, onCompletion, ifNotExists,
                multitaskStrategy, interruptBefore, interruptAfter, checkpoint, checkpointId, checkpointDuring, durability);
    }

    /** Returns a copy that is resumable, so that a client can repeat the request after a lost response. */
    CreateThreadRunRequest asResumable() {
        return new CreateThreadRunRequest(assistantId, input, command, config, context, metadata, streamMode, streamSubgraphs,
                true, onDisconnect, webhook, afterSeconds, onCompletion, ifNotExists, multitaskStrategy, interruptBefore,
                interruptAfter, checkpoint, checkpointId, checkpointDuring, durability);
    }

    /**
     * Returns the run.
     *
     * @param background whether it continues without clients
     */
    CreateRunRequest toRun(boolean background) {
        // Clients leave out a null input.
        JsonNode given = input == null && command == null ? NullNode.getInstance() : input;
        return new CreateRunRequest(assistantId, given, command, config, context, metadata, streamMode, streamSubgraphs,
                streamResumable, background ? OnDisconnect.CONTINUE : onDisconnect, webhook, afterSeconds, onCompletion,
                ifNotExists, multitaskStrategy, interruptBefore, interruptAfter, checkpoint, checkpointId, checkpointDuring,
                durability == null ? null : TextNode.valueOf(durability));
    }
}
