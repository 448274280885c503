package dev.waybill.runtime.tracing;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.NameIds;
import dev.waybill.runtime.protocol.Step;

/** A step as far as its worker has told of it. */
final class TracedStep {

    private static final Set<String> TYPES = Set.of("chain", "llm", "tool", "retriever", "embedding", "prompt", "parser");
    private static final int SHORT_ERROR = 200;

    /** Made of the run's and the worker's own, so that no worker can name another run's. */
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

    /** Notes what is told of it later. */
    void add(Step step, boolean whole) {
        end = later(step.times().end(), end);
        firstToken = later(step.times().firstToken(), firstToken);
        if (whole) {
            inputs = later(step.inputs(), inputs);
            outputs = later(step.outputs(), outputs);
            metadata = later(step.metadata(), metadata);
            error = later(step.error(), error);
        } else {
            byte[] lost = step.outputs();
            outputs = lost == null ? outputs : JsonSize.omitted(lost.length).toString().getBytes(StandardCharsets.US_ASCII);
            String said = step.error();
            error = said == null ? error : said.substring(0, Math.min(said.length(), SHORT_ERROR));
        }
    }

    private static <T> @Nullable T later(@Nullable T told, @Nullable T known) {
        return told == null ? known : told;
    }
}
