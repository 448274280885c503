package dev.waybill.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.waybill.common.testing.SettableClock;
import dev.waybill.runtime.Settings;
import dev.waybill.runtime.assistant.Assistant;
import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.tracing.RunTrace;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

class RunRegistryTest {

    private final UUID id = UUID.randomUUID();
    private final SettableClock clock = new SettableClock(Instant.parse("2026-01-02T03:04:05Z"));
    private final RunRegistry registry = new RunRegistry(Settings.of(RunConfig.class, Map.of()), clock,
            new SimpleMeterRegistry());

    @Test
    void evictedRunLeavesALaterOneWithItsId() {
        Run first = run();
        registry.add(first);
        registry.ended(first);
        Run second = run();
        registry.add(second);

        clock.advance(Duration.ofDays(1));

        assertThat(registry.find(id, "somebody")).contains(second);
    }

    @Test
    void endedRunIsEvicted() {
        Run run = run();
        registry.add(run);
        registry.ended(run);

        clock.advance(Duration.ofDays(1));

        assertThat(registry.find(id, "somebody")).isEmpty();
    }

    @Test
    void endedRunsUseAFractionOfTheHeap() {
        RunRegistry small = registryOfASmallHeap();
        Run first = endedRun(small, 600 << 10);
        Run second = endedRun(small, 600 << 10);

        assertThat(small.find(first.id(), "somebody")).isEmpty();
        assertThat(small.find(second.id(), "somebody")).contains(second);
    }

    @Test
    void inputsOfWaitingRunsUseAFractionOfTheHeap() {
        RunRegistry small = registryOfASmallHeap();
        Run first = runWithInput(600 << 10);
        Run second = runWithInput(600 << 10);
        small.add(first);

        assertThatThrownBy(() -> small.add(second)).hasMessageContaining("inputs of this application's waiting runs");
        first.start();
        small.add(second);

        assertThat(small.countActive()).isEqualTo(2);
    }

    @Test
    void inputOfAStoredRunIsNotLimited() {
        RunRegistry small = registryOfASmallHeap();
        small.add(runWithInput(600 << 10));

        small.addStored(runWithInput(600 << 10));

        assertThat(small.countActive()).isEqualTo(2);
    }

    @Test
    void largeInputIsAcceptedWhileNoneWaits() {
        RunRegistry small = registryOfASmallHeap();

        small.add(runWithInput(2 << 20));

        assertThat(small.countActive()).isEqualTo(1);
    }

    private RunRegistry registryOfASmallHeap() {
        return new RunRegistry(Settings.of(RunConfig.class, Map.of()), clock, new SimpleMeterRegistry(), 8L << 20);
    }

    private Run runWithInput(int size) {
        return run(UUID.randomUUID(), new EventLog("r", 0), TextNode.valueOf("x".repeat(size)));
    }

    private Run endedRun(RunRegistry registry, int bytes) {
        EventLog log = new EventLog("r", 1 << 20);
        log.append("values", new byte[bytes], 0, true);
        Run run = run(UUID.randomUUID(), log);
        registry.add(run);
        registry.ended(run);
        return run;
    }

    private Run run() {
        return run(id, new EventLog("r", 0));
    }

    private Run run(UUID id, EventLog log) {
        return run(id, log, null);
    }

    private Run run(UUID id, EventLog log, @Nullable JsonNode input) {
        CreateRunRequest request = new CreateRunRequest("agent", input, null, null, null, null, null, null, null, null, null,
                null, null, null, null, null, null, null, null, null, null);
        return new Run(new Run.Origin(id, new Assistant(UUID.randomUUID(), "agent"), "somebody"), request,
                log, RunTrace.NONE, clock);
    }
}
