package dev.waybill.runtime.run;

import java.math.BigDecimal;
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
import dev.waybill.runtime.event.StreamMode;
import dev.waybill.runtime.event.StreamModes;
import dev.waybill.runtime.protocol.MessageWriter;

/** Body of {@code POST /runs/stream}, {@code /runs/wait} and {@code /runs} (interface.md 2.10, contract.md). */
public record CreateRunRequest(
        @NotBlank(message = "is required") @Schema(required = true, description = "An assistant's name or id.", examples = "agent") String assistantId,
        @Nullable @Schema(implementation = Object.class, description = "What the graph is to work on, any JSON, null too; required unless there is a command.", examples = "{\"messages\": [{\"role\": \"user\", \"content\": \"hello\"}]}") JsonNode input,
        @Nullable @Schema(type = org.eclipse.microprofile.openapi.annotations.enums.SchemaType.OBJECT, implementation = Object.class, description = "Instead of input: goes on with an interrupted graph.") ObjectNode command,
        @Nullable @Schema(implementation = Object.class, description = "Tags, recursion_limit, configurable.") ObjectNode config,
        @Nullable @Schema(implementation = Object.class) ObjectNode context,
        @Nullable @JsonSize(max = MOST_METADATA_BYTES) @Schema(implementation = Object.class, description = "Kept with the run and answered with it; at most 64 KiB.") ObjectNode metadata,
        @Nullable @StreamModes @Schema(implementation = Object.class, description = "One or a list of values, updates, messages, messages-tuple, custom, events, debug, tasks, checkpoints; values when absent.", examples = "updates") JsonNode streamMode,
        @Nullable @Schema(defaultValue = "false", description = "Whether events of subgraphs are sent too, named mode|subgraph.") Boolean streamSubgraphs,
        @Nullable @Schema(defaultValue = "false", description = "Whether GET /runs/{run_id}/stream can go on where a client lost the stream.") Boolean streamResumable,
        @Nullable @Schema(implementation = OnDisconnect.class, defaultValue = "cancel") OnDisconnect onDisconnect,
        @Nullable @Size(max = 2048, message = "must have at most 2048 characters") @Schema(description = "Where the run is sent when it has ended.") String webhook,
        @Nullable @DecimalMin(value = "0", message = "must be 0 to 86400") @DecimalMax(value = "86400", message = "must be 0 to 86400") @Schema(defaultValue = "0", description = "How long to wait before the run starts.") BigDecimal afterSeconds,
        @Nullable @Pattern(regexp = "delete|keep", message = "must be delete or keep") @Schema(description = "Taken as it is and without effect: runs have no threads that could be deleted.", examples = "keep") String onCompletion,
        @Nullable @Pattern(regexp = "create|reject", message = "must be create or reject") @Schema(description = "Taken as it is and without effect: runs have no threads that could be missing.", examples = "create") String ifNotExists,
        @Nullable @Pattern(regexp = "reject|interrupt|rollback|enqueue", message = "must be reject, interrupt, rollback or enqueue") @Schema(description = "Taken as it is and without effect: runs have no threads that they could meet in.", examples = "enqueue") String multitaskStrategy,
        @Nullable @Schema(implementation = Object.class, description = "Refused when set: it needs a thread.") JsonNode interruptBefore,
        @Nullable @Schema(implementation = Object.class, description = "Refused when set: it needs a thread.") JsonNode interruptAfter,
        @Nullable @Schema(implementation = Object.class, description = "Refused when set: it needs a thread.") JsonNode checkpoint,
        @Nullable @Schema(implementation = Object.class, description = "Refused when set: it needs a thread.") JsonNode checkpointId,
        @Nullable @Schema(implementation = Object.class, description = "Refused when true: it needs a thread.") JsonNode checkpointDuring) {

    private static final int MOST_METADATA_BYTES = 64 << 10;

    Set<StreamMode> modes() {
        return StreamModes.Check.parse(streamMode).orElseThrow();
    }

    public boolean resumable() {
        return Boolean.TRUE.equals(streamResumable);
    }

    /** The same, to be found again by who lost its answer. */
    public CreateRunRequest asResumable() {
        return new CreateRunRequest(assistantId, input, command, config, context, metadata, streamMode, streamSubgraphs, true,
                onDisconnect, webhook, afterSeconds, onCompletion, ifNotExists, multitaskStrategy, null, null, null, null,
                null);
    }

    public boolean cancelsOnDisconnect() {
        return onDisconnect != OnDisconnect.CONTINUE;
    }

    long delayMillis() {
        return afterSeconds == null ? 0 : afterSeconds.movePointRight(3).longValue();
    }

    /** The labels that its caller gave it; null when they are none. */
    @Nullable
    JsonNode tags() {
        JsonNode tags = config == null ? null : config.get("tags");
        boolean labels = tags != null && tags.isArray() && tags.valueStream().allMatch(JsonNode::isTextual);
        return labels ? tags : null;
    }

    /**
     * What a worker is told of it (docs/worker-protocol.md).
     *
     * @param stepBytes how many bytes of steps are wanted; 0 for none
     * @param needsValues whether anybody asks for its last values
     */
    ObjectNode forWorker(long stepBytes, boolean needsValues) {
        ObjectNode told = JsonNodeFactory.instance.objectNode();
        told.set("input", input);
        if (command != null) {
            told.set("command", command);
        }
        told.set("config", orEmpty(config));
        told.set("context", orEmpty(context));
        told.set("metadata", orEmpty(metadata));
        Set<StreamMode> modes = modes();
        told.set("stream_modes", workerModes(modes));
        told.put("stream_subgraphs", Boolean.TRUE.equals(streamSubgraphs));
        if (!needsValues) {
            told.put(MessageWriter.VALUES, false);
        }
        if (stepBytes > 0) {
            told.put(MessageWriter.STEPS, stepBytes);
        }
        return told;
    }

    // A node's update says that the messages which it streamed are whole.
    private static ArrayNode workerModes(Set<StreamMode> modes) {
        Stream<String> own = modes.stream().map(StreamMode::workerMode);
        Stream<String> more = modes.contains(StreamMode.MESSAGES) ? Stream.of(StreamMode.UPDATES.workerMode()) : Stream.of();
        ArrayNode names = JsonNodeFactory.instance.arrayNode();
        Stream.concat(own, more).distinct().forEach(names::add);
        return names;
    }

    /** What the run's trace shows as its inputs: of a run that goes on with another its command. */
    @Nullable
    JsonNode traced() {
        boolean resumed = command != null && (input == null || input.isNull());
        return resumed ? JsonNodeFactory.instance.objectNode().set("command", command) : input;
    }

    /** Without what only its worker needs, which may be as large as a body: runs are kept for a while. */
    CreateRunRequest withoutWork() {
        return new CreateRunRequest(assistantId, null, null, null, null, metadata, streamMode, streamSubgraphs, streamResumable,
                onDisconnect, webhook, afterSeconds, null, null, null, null, null, null, null, null);
    }

    private static ObjectNode orEmpty(@Nullable ObjectNode node) {
        return node == null ? JsonNodeFactory.instance.objectNode() : node;
    }
}
