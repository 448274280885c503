package dev.waybill.runtime.run;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.json.JsonSize;
import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.event.StreamMode;
import dev.waybill.runtime.event.StreamMode.ValidStreamModes;
import dev.waybill.runtime.protocol.MessageWriter;

/** Body of {@code POST /runs/stream}, {@code /runs/wait} and {@code /runs} (interface.md 2.10, contract.md). */
public record CreateRunRequest(
        @NotBlank(message = "is required") @Schema(required = true, description = "Name or id of an assistant.", examples = "agent") String assistantId,
        @Nullable @Schema(implementation = Object.class, description = "Input of the graph: any JSON value, including null. Required unless command is given.", examples = "{\"messages\": [{\"role\": \"user\", \"content\": \"hello\"}]}") JsonNode input,
        @Nullable @Schema(type = org.eclipse.microprofile.openapi.annotations.enums.SchemaType.OBJECT, implementation = Object.class, description = "Resumes an interrupted graph; an alternative to input.") ObjectNode command,
        @Nullable @Schema(implementation = Object.class, description = "Tags, recursion_limit, configurable.") ObjectNode config,
        @Nullable @Schema(implementation = Object.class) ObjectNode context,
        @Nullable @JsonSize(max = MAX_METADATA_BYTES) @Schema(implementation = Object.class, description = "Stored with the run and returned with it; at most 64 KiB.") ObjectNode metadata,
        @Nullable @ValidStreamModes @Schema(implementation = Object.class, description = "One of values, updates, messages, messages-tuple, custom, events, debug, tasks, checkpoints, tools, or a list of them; default values.", examples = "updates") JsonNode streamMode,
        @Nullable @Schema(defaultValue = "false", description = "Whether events of subgraphs are sent as well, named mode|subgraph.") Boolean streamSubgraphs,
        @Nullable @Schema(defaultValue = "false", description = "Whether GET /runs/{run_id}/stream can resume the stream after a lost connection.") Boolean streamResumable,
        @Nullable @Schema(implementation = OnDisconnect.class, defaultValue = "cancel") OnDisconnect onDisconnect,
        @Nullable @Size(max = 2048, message = "must have at most 2048 characters") @Schema(description = "URL to which the run is posted when it has ended.") String webhook,
        @Nullable @DecimalMin(value = "0", message = "must be 0 to 86400") @DecimalMax(value = "86400", message = "must be 0 to 86400") @Schema(defaultValue = "0", description = "Delay in seconds before the run starts.") BigDecimal afterSeconds,
        @Nullable @Pattern(regexp = ON_COMPLETION, message = ON_COMPLETION_MESSAGE) @Schema(description = "delete (default): the run has no thread; keep: it has a new one, if the runtime stores threads and the graph remembers; complete and continue, which the SDK for JavaScript names: as delete.", examples = "keep") String onCompletion,
        @Nullable @Pattern(regexp = "create|reject", message = "must be create or reject") @Schema(description = "Accepted and ignored: runs have no threads that could be missing.", examples = "create") String ifNotExists,
        @Nullable @Pattern(regexp = "reject|interrupt|rollback|enqueue", message = "must be reject, interrupt, rollback or enqueue") @Schema(description = "Accepted and ignored: runs have no threads that they could share.", examples = "enqueue") String multitaskStrategy,
        @Nullable @Schema(implementation = Object.class, description = "Rejected when set: requires a thread.") JsonNode interruptBefore,
        @Nullable @Schema(implementation = Object.class, description = "Rejected when set: requires a thread.") JsonNode interruptAfter,
        @Nullable @Schema(implementation = Object.class, description = "Rejected when set: requires a thread.") JsonNode checkpoint,
        @Nullable @Schema(implementation = Object.class, description = "Rejected when set: requires a thread.") JsonNode checkpointId,
        @Nullable @Schema(implementation = Object.class, description = "Rejected when true: requires a thread.") JsonNode checkpointDuring,
        @Nullable @Schema(implementation = String.class, description = "Accepted and ignored: runs without a thread store no checkpoints.", examples = "async") JsonNode durability) {

    /** Names of the SDK for Python and of that for JavaScript. */
    static final String ON_COMPLETION = "delete|keep|complete|continue";
    static final String ON_COMPLETION_MESSAGE = "must be delete, keep, complete or continue";
    private static final int MAX_METADATA_BYTES = 64 << 10;

    Set<StreamMode> modes() {
        return ValidStreamModes.Check.parse(streamMode).orElseThrow();
    }

    public boolean resumable() {
        return Boolean.TRUE.equals(streamResumable);
    }

    /** Returns a copy that is resumable, so that a client can repeat the request after a lost response. */
    public CreateRunRequest asResumable() {
        return new CreateRunRequest(assistantId, input, command, config, context, metadata, streamMode, streamSubgraphs, true,
                onDisconnect, webhook, afterSeconds, onCompletion, ifNotExists, multitaskStrategy, interruptBefore,
                interruptAfter,
                checkpoint, checkpointId, checkpointDuring, durability);
    }

    /** Returns a copy with the settings of its assistant. */
    CreateRunRequest with(ObjectNode mergedConfig, ObjectNode mergedContext, ObjectNode mergedMetadata) {
        return new CreateRunRequest(assistantId, input, command, mergedConfig, mergedContext, mergedMetadata, streamMode,
                streamSubgraphs, streamResumable, onDisconnect, webhook, afterSeconds, onCompletion, ifNotExists,
                multitaskStrategy, interruptBefore, interruptAfter, checkpoint, checkpointId, checkpointDuring, durability);
    }

    /** Returns a copy for a run that creates its thread. */
    CreateRunRequest creatingThread(boolean background) {
        return new CreateRunRequest(assistantId, input, command, config, context, metadata, streamMode, streamSubgraphs,
                streamResumable, background ? OnDisconnect.CONTINUE : onDisconnect, webhook, afterSeconds, onCompletion,
                "create",
                multitaskStrategy, interruptBefore, interruptAfter, checkpoint, checkpointId, checkpointDuring, durability);
    }

    /** Returns whether the thread of the run remains after its end. */
    public boolean keepsThread() {
        return "keep".equals(onCompletion);
    }

    public boolean cancelsOnDisconnect() {
        return onDisconnect != OnDisconnect.CONTINUE;
    }

    /** Returns the effect on the active runs of the thread. */
    String strategy() {
        return multitaskStrategy == null ? "enqueue" : multitaskStrategy;
    }

    long delayMillis() {
        return afterSeconds == null ? 0 : afterSeconds.movePointRight(3).longValue();
    }

    /** Returns the client's tags; null if they are missing or not an array of strings. */
    @Nullable
    JsonNode tags() {
        JsonNode tags = config == null ? null : config.get("tags");
        boolean valid = tags != null && tags.isArray() && tags.valueStream().allMatch(JsonNode::isTextual);
        return valid ? tags : null;
    }

    /**
     * Returns the parameters of {@code run/start} for the worker (docs/worker-protocol.md).
     *
     * @param stepBytes maximum total size of steps; 0 for none
     * @param needsValues whether the final values are needed
     */
    ObjectNode workerRequest(long stepBytes, boolean needsValues) {
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        params.set("input", input);
        if (command != null) {
            params.set("command", command);
        }
        params.set("config", orEmpty(config));
        params.set("context", orEmpty(context));
        params.set("metadata", orEmpty(metadata));
        Set<StreamMode> modes = modes();
        params.set("stream_modes", workerModes(modes));
        params.put("stream_subgraphs", Boolean.TRUE.equals(streamSubgraphs));
        if (!needsValues) {
            params.put(MessageWriter.VALUES, false);
        }
        if (stepBytes > 0) {
            params.put(MessageWriter.STEPS, stepBytes);
        }
        return params;
    }

    // Mode messages also needs updates: a node's update completes the messages that the node streamed.
    private static ArrayNode workerModes(Set<StreamMode> modes) {
        Stream<String> requested = modes.stream().map(StreamMode::workerMode);
        Stream<String> additional = modes.contains(StreamMode.MESSAGES) ? Stream.of(StreamMode.UPDATES.workerMode())
                : Stream.of();
        ArrayNode names = JsonNodeFactory.instance.arrayNode();
        Stream.concat(requested, additional).distinct().forEach(names::add);
        return names;
    }

    /** Returns the inputs for the run's trace; for a run that resumes an interrupted graph, its command. */
    @Nullable
    JsonNode tracedInputs() {
        boolean resumed = command != null && (input == null || input.isNull());
        return resumed ? JsonNodeFactory.instance.objectNode().set("command", command) : input;
    }

    /** Returns the approximate size of the members that only the worker needs. */
    long inputBytes() {
        return Json.approximateBytes(input) + Json.approximateBytes(command) + Json.approximateBytes(config)
                + Json.approximateBytes(context);
    }

    /** Returns a copy without the members that only the worker needs, which can be large; runs are retained after their end. */
    CreateRunRequest withoutInputs() {
        return new CreateRunRequest(assistantId, null, null, null, null, metadata, streamMode, streamSubgraphs, streamResumable,
                onDisconnect, webhook, afterSeconds, null, null, multitaskStrategy, null, null, null, null, null, null);
    }

    private static ObjectNode orEmpty(@Nullable ObjectNode node) {
        return node == null ? JsonNodeFactory.instance.objectNode() : node;
    }

    /** Effect of a disconnect of the client on its run. */
    public enum OnDisconnect {
        CANCEL,
        CONTINUE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
