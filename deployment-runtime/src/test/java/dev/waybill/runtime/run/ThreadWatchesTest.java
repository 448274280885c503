package dev.waybill.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.waybill.runtime.Settings;
import dev.waybill.runtime.assistant.Assistant;
import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.run.Run.End;
import dev.waybill.runtime.tracing.RunTrace;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** Which runs a stream of a thread reads on this replica. */
class ThreadWatchesTest {

    private final Clock clock = Clock.systemUTC();
    private final RunRegistry registry = new RunRegistry(Settings.of(RunConfig.class, Map.of()), clock,
            new SimpleMeterRegistry());
    private final ThreadWatches watches = new ThreadWatches(registry);
    private final Run run = run();
    private RunResponse stored;

    @BeforeEach
    void start() {
        registry.add(run);
        run.start();
        stored = run.response();
    }

    @Test
    void runThatEndedAfterTheListWasReadIsLocal() {
        run.finish(new End(RunStatus.SUCCESS, null, JsonNodeFactory.instance.objectNode()));
        registry.ended(run);

        assertThat(stored.status()).isEqualTo(RunStatus.RUNNING);
        assertThat(watches.local(stored)).contains(run);
    }

    @Test
    void lostRunIsNotLocal() {
        run.finish(new End(RunStatus.ERROR, RunError.LOST, null));
        registry.ended(run);

        assertThat(watches.local(stored)).isEmpty();
    }

    private Run run() {
        CreateRunRequest request = new CreateRunRequest("agent", null, null, null, null, null, null, null, null, null, null,
                null, null, null, null, null, null, null, null, null, null);
        return new Run(new Run.Origin(UUID.randomUUID(), new Assistant(UUID.randomUUID(), "agent"), "somebody"), request,
                new EventLog("r", 0), RunTrace.NONE, clock);
    }
}
