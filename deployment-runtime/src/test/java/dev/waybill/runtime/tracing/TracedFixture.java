package dev.waybill.runtime.tracing;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.protocol.Message;
import dev.waybill.runtime.protocol.Message.Step;
import dev.waybill.runtime.protocol.MessageReader;

/** Fixtures for tests of tracing. */
final class TracedFixture {

    static final Instant START = Instant.parse("2026-11-21T08:00:00.000001Z");
    static final UUID ASSISTANT = UUID.fromString("019a9f0e-5c1d-7000-8000-00000000000a");

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private TracedFixture() {
    }

    static TracedRun run(String graph, String inputs) {
        return new TracedRun(UUID.randomUUID(), graph, ASSISTANT, json(inputs), null, null, null, null);
    }

    static TracedRun run(String inputs, String metadata, String tags) {
        return new TracedRun(UUID.randomUUID(), "agent", ASSISTANT, json(inputs), (ObjectNode) json(metadata), json(tags),
                null, null);
    }

    static RunTrace.End end(@Nullable String error, String outputs) {
        return new RunTrace.End(START.plusSeconds(10), error, json(outputs));
    }

    /** Parses a step from a worker's line with the id and these members. */
    static Step step(String id, String members) {
        String line = "{\"method\":\"run/step\",\"params\":{\"run\":\"" + ASSISTANT + "\",\"id\":\"" + id + "\"" + members
                + "}}";
        byte[] bytes = line.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        Message message = new MessageReader(1 << 20).read(bytes, 0, bytes.length);
        return ((Message.StepReport) message).step();
    }

    /** Returns the start of a step, some milliseconds after the start of the run. */
    static Step startedStep(String id, long millis, String members) {
        return step(id, ",\"name\":\"" + id + "\",\"start_time\":" + (START.toEpochMilli() + millis) + members);
    }

    static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
