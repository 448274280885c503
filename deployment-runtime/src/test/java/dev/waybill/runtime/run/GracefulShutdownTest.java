package dev.waybill.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Settings;
import dev.waybill.runtime.assistant.Assistant;
import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.tracing.RunTrace;
import dev.waybill.runtime.worker.RunSink.Outcome;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;

class GracefulShutdownTest {

    private final List<Run.End> ends = new ArrayList<>();

    @Test
    void activeRunsFinishAndNewOnesAreRejected() throws Exception {
        // Given
        RunConfig config = config("10m");
        RunRegistry registry = new RunRegistry(config, Clock.systemUTC(), new SimpleMeterRegistry());
        Run run = run(registry);
        assertThatCode(registry::rejectIfStopping).doesNotThrowAnyException();

        // When
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> stop(registry));
        Patience.await().until(registry::isStopping);

        // Then
        assertThatThrownBy(registry::rejectIfStopping).isInstanceOf(ProblemException.class)
                .hasMessageContaining("shutting down");
        assertThat(stopped).isNotDone();
        run.ended(new Outcome.Completed(JsonNodeFactory.instance.nullNode()));
        stopped.get(2, TimeUnit.MINUTES);
        assertThat(ends).extracting(Run.End::status).containsExactly(RunStatus.SUCCESS);
    }

    @Test
    void overdueRunsEndWithRuntimeStopped() {
        RunConfig config = config("1ms");
        RunRegistry registry = new RunRegistry(config, Clock.systemUTC(), new SimpleMeterRegistry());
        run(registry);

        stop(registry);

        assertThat(ends).singleElement().satisfies(end -> {
            assertThat(end.status()).isEqualTo(RunStatus.INTERRUPTED);
            assertThat(end.error()).isEqualTo(RunError.STOPPED);
        });
        assertThat(registry.active()).isEmpty();
    }

    private Run run(RunRegistry registry) {
        Assistant assistant = new Assistant(UUID.randomUUID(), "agent");
        CreateRunRequest request = new CreateRunRequest("agent", null, null, null, null, null, null, null, null, null, null,
                null, null, null, null, null, null, null, null, null, null);
        Run run = new Run(new Run.Origin(UUID.randomUUID(), assistant, "somebody"), request, new EventLog("r", 0),
                RunTrace.NONE, Clock.systemUTC());
        registry.add(run);
        run.onEnd(ends::add);
        run.onEnd(end -> registry.ended(run));
        run.start();
        return run;
    }

    private static void stop(RunRegistry registry) {
        try {
            registry.stop(new ShutdownDelayInitiatedEvent());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RunConfig config(String drainTimeout) {
        return Settings.of(RunConfig.class, Map.of("waybill.runtime.runs.drain-timeout", drainTimeout));
    }
}
