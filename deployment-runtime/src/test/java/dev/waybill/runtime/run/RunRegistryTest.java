package dev.waybill.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;

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

    private Run run() {
        CreateRunRequest request = new CreateRunRequest("agent", null, null, null, null, null, null, null, null, null, null,
                null, null, null, null, null, null, null, null, null, null);
        return new Run(new Run.Origin(id, new Assistant(UUID.randomUUID(), "agent"), "somebody"), request,
                new EventLog("r", 0), RunTrace.NONE, clock);
    }
}
