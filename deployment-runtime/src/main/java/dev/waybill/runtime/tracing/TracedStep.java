package dev.waybill.runtime.tracing;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.NameIds;
import dev.waybill.runtime.protocol.Message.Step;

/** A step, accumulated from the worker's reports. */
final class TracedStep {

    private static final Set<String> TYPES = Set.of("chain", "llm", "tool", "retriever", "embedding", "prompt", "parser");
    private static final int MAX_SHORT_ERROR = 200;

    /** Derived from the ids of run and step, so that a worker cannot address another run's step. */
    final UUID id;
    final @Nullable TracedStep parent;
    final String name;
    final String runType;
    final Instant start;
    @Nullable
    Instant end;
    @Nullable
    Instant firstToken;
    byte @Nullable [] inputs;
    byte @Nullable [] outputs;
    byte @Nullable [] metadata;
    @Nullable
    String error;

    TracedStep(UUID run, Step step, Instant start, @Nullable TracedStep parent) {
        this.id = NameIds.of(run, step.id());
        this.parent = parent;
        this.name = String.valueOf(step.name());
        this.runType = step.runType() != null && TYPES.contains(step.runType()) ? step.runType() : "chain";
        this.start = start;
        add(step, true);
    }

    /** Adds a report; if it is not complete, stores end, size of the outputs and a shortened error only. */
    void add(Step step, boolean complete) {
        end = newer(step.times().end(), end);
        firstToken = newer(step.times().firstToken(), firstToken);
        if (complete) {
            inputs = newer(step.inputs(), inputs);
            outputs = newer(step.outputs(), outputs);
            metadata = newer(step.metadata(), metadata);
            error = newer(step.error(), error);
        } else {
            byte[] omitted = step.outputs();
            outputs = omitted == null ? outputs
                    : JsonMemory.omitted(omitted.length).toString().getBytes(StandardCharsets.US_ASCII);
            String message = step.error();
            error = message == null ? error : message.substring(0, Math.min(message.length(), MAX_SHORT_ERROR));
        }
    }

    private static <T> @Nullable T newer(@Nullable T reported, @Nullable T previous) {
        return reported == null ? previous : reported;
    }
}
