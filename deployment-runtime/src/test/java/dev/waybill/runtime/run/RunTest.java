package dev.waybill.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.waybill.runtime.Settings;
import dev.waybill.runtime.assistant.Assistant;
import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.tracing.RunTrace;
import dev.waybill.runtime.worker.RunSink.Outcome;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

class RunTest {

    private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");
    private static final ObjectNode ANYTHING = JsonNodeFactory.instance.objectNode().put("text", "a long one");

    private static final JsonNode MESSAGES = TextNode.valueOf("messages-tuple");

    private final List<Run.End> ends = new ArrayList<>();

    @Test
    void inputsAreSentToWorkerAndReleased() {
        Run run = run();

        ObjectNode params = run.start().orElseThrow();

        assertThat(params.get("input")).isEqualTo(ANYTHING);
        assertThat(params.get("config")).isEqualTo(ANYTHING);
        assertThat(run.request().input()).isNull();
        assertThat(run.request().config()).isNull();
        assertThat(run.request().context()).isNull();
        assertThat(run.response().metadata()).isEqualTo(ANYTHING);
    }

    @Test
    void runEndedBeforeStartReleasesInputs() {
        Run run = run();

        run.stop(RunStatus.INTERRUPTED, RunError.CANCELLED);

        assertThat(run.start()).isEmpty();
        assertThat(run.request().input()).isNull();
    }

    @Test
    void valuesAreRetainedOnlyOnRequestBeforeTheEnd() {
        Run requested = run();
        Run not = run();
        long without = not.retainedBytes();

        assertThat(requested.retainValues()).isTrue();
        requested.ended(new Outcome.Completed(ANYTHING));
        not.ended(new Outcome.Completed(ANYTHING));

        assertThat(requested.retainValues()).isTrue();
        requested.onEnd(end -> assertThat(end.values()).isEqualTo(ANYTHING));
        assertThat(not.retainValues()).isFalse();
        assertThat(requested.retainedBytes()).isEqualTo(not.retainedBytes() + ANYTHING.toString().length());
        assertThat(without).isGreaterThanOrEqualTo(ANYTHING.toString().length());
    }

    @Test
    void workerIsToldWhenValuesAreNotNeeded() {
        Run streamed = run(MESSAGES);

        assertThat(streamed.start().orElseThrow().get("values").booleanValue()).isFalse();

        assertThat(streamed.retainValues()).isFalse();
        streamed.ended(new Outcome.Completed(MissingNode.getInstance()));
        assertThat(streamed.retainValues()).isFalse();
    }

    @Test
    void requestedValuesAreSent() {
        Run awaited = run(MESSAGES);
        awaited.requireValues();
        Run joinedLater = run(MESSAGES);
        joinedLater.retainValues();

        assertThat(List.of(awaited, joinedLater, run(null))).allSatisfy(
                run -> assertThat(run.start().orElseThrow().has("values")).isFalse());
    }

    @Test
    void errorIsAlwaysRetained() {
        Run run = run();

        run.ended(new Outcome.Failed("Odd", "It is odd."));

        assertThat(run.retainValues()).isTrue();
    }

    @Test
    void missingValuesAreRetainedAsNull() {
        Run run = run();
        run.retainValues();

        run.ended(new Outcome.Completed(MissingNode.getInstance()));

        run.onEnd(ends::add);
        assertThat(ends.getLast().values().isNull()).isTrue();
    }

    @Test
    void onlyOverdueRunsTimeOut() {
        RunConfig config = Settings.of(RunConfig.class, Map.of("waybill.runtime.runs.timeout", "10s"));
        RunRegistry registry = new RunRegistry(config, Clock.systemUTC(), new SimpleMeterRegistry());
        Run running = run();
        Run waiting = run();
        registry.add(running);
        registry.add(waiting);
        running.start();

        registry.endOverdue(NOON.plusSeconds(10));
        assertThat(ends).isEmpty();
        registry.endOverdue(NOON.plusSeconds(10).plusMillis(1));

        assertThat(ends).extracting(Run.End::error).containsExactly(RunError.timeout(Duration.ofSeconds(10)));
        assertThat(running.status()).isEqualTo(RunStatus.TIMEOUT);
        assertThat(waiting.status()).isEqualTo(RunStatus.PENDING);
        running.ended(new Outcome.Cancelled());
        assertThat(ends).hasSize(1);
    }

    @Test
    void traceOfResumedRunHasItsCommand() {
        ObjectNode command = JsonNodeFactory.instance.objectNode().put("resume", "yes");

        CreateRunRequest resumed = new CreateRunRequest("agent", null, command, null, null, null, null, null, null, null, null,
                null, null, null, null, null, null, null, null, null, null);
        CreateRunRequest both = new CreateRunRequest("agent", ANYTHING, command, null, null, null, null, null, null, null, null,
                null, null, null, null, null, null, null, null, null, null);

        assertThat(resumed.tracedInputs()).isEqualTo(JsonNodeFactory.instance.objectNode().set("command", command));
        assertThat(both.tracedInputs()).isEqualTo(ANYTHING);
    }

    private Run run() {
        return run(null);
    }

    private Run run(@Nullable JsonNode streamMode) {
        Assistant assistant = new Assistant(UUID.randomUUID(), "agent");
        CreateRunRequest request = new CreateRunRequest("agent", ANYTHING, null, ANYTHING, ANYTHING, ANYTHING, streamMode, null,
                null,
                null, null, null, null, null, null, null, null, null, null, null, null);
        Run run = new Run(new Run.Origin(UUID.randomUUID(), assistant, "somebody"), request, new EventLog("r", 0),
                RunTrace.NONE, at(NOON));
        run.onEnd(ends::add);
        return run;
    }

    private static Clock at(Instant instant) {
        return Clock.fixed(instant, ZoneOffset.UTC);
    }
}
