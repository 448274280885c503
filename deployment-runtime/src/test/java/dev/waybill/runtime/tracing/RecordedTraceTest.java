package dev.waybill.runtime.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;

import org.junit.jupiter.api.Test;

import dev.waybill.runtime.tracing.TraceQueue.CompletedTrace;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** Memory limits of traces. */
class RecordedTraceTest {

    private static final int CAPACITY = 50_000;

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final DroppedTraces drops = new DroppedTraces(metrics, Clock.systemUTC());
    private final TraceQueue queue = new TraceQueue(CAPACITY);

    @Test
    void stepsAboveSizeLimitAreDroppedAndCounted() {
        RecordedTrace trace = trace(20_000);

        for (int i = 0; i < 10_000; i++) {
            trace.step(TracedFixture.startedStep("step-" + i, i, ""));
        }
        trace.ended(TracedFixture.end(null, "{}"));

        CompletedTrace ended = queue.poll();
        assertThat(ended.steps()).isNotEmpty().hasSizeLessThan(100);
        assertThat(dropped("trace_size")).isEqualTo(10_000 - ended.steps().size());
        assertThat(queue.used()).isEqualTo(ended.reservedBytes()).isLessThan(CAPACITY);
    }

    @Test
    void traceHasAtMostAThousandSteps() {
        TraceQueue large = new TraceQueue(1 << 30);
        RecordedTrace trace = new RecordedTrace(TracedFixture.run("agent", "{}"), TracedFixture.START, 1 << 30, large, drops);

        for (int i = 0; i < 1_003; i++) {
            trace.step(TracedFixture.startedStep("step-" + i, i, ""));
        }
        trace.ended(TracedFixture.end(null, "{}"));

        assertThat(large.poll().steps()).hasSize(1_000);
        assertThat(dropped("trace_size")).isEqualTo(3);
    }

    @Test
    void runsAreDroppedWithStepsWhenQueueIsFull() {
        RecordedTrace first = trace(CAPACITY);
        RecordedTrace second = trace(CAPACITY);
        String large = "{\"a\":\"" + "x".repeat(40_000) + "\"}";

        second.step(TracedFixture.startedStep("step", 1, ""));
        first.ended(TracedFixture.end(null, large));
        second.ended(TracedFixture.end(null, large));

        assertThat(dropped("full")).isEqualTo(2);
        CompletedTrace retained = queue.poll();
        assertThat(queue.poll()).isNull();
        queue.release(retained.reservedBytes());
        assertThat(queue.used()).isZero();
    }

    @Test
    void invalidStepsAreCountedAndLateOnesIgnored() {
        RecordedTrace trace = trace(CAPACITY);

        trace.step(TracedFixture.step("nameless", ""));
        trace.step(TracedFixture.step("timeless",
                ",\"name\":\"n\",\"start_time\":\"yesterday\",\"run_type\":[1,{}],\"inputs\":[[]]"));
        trace.ended(TracedFixture.end(null, "{}"));
        trace.step(TracedFixture.startedStep("late", 1, ""));
        trace.ended(TracedFixture.end(null, "{}"));

        assertThat(dropped("invalid")).isEqualTo(2);
        assertThat(queue.poll().rowCount()).isOne();
        assertThat(queue.poll()).isNull();
    }

    @Test
    void inputsAreOmittedWhenQueueWasFullAtStart() {
        queue.reserve(CAPACITY);
        RecordedTrace trace = trace(CAPACITY);
        queue.release(CAPACITY);

        trace.ended(TracedFixture.end(null, "{\"a\":1}"));

        CompletedTrace ended = queue.poll();
        assertThat(ended.run().inputs()).hasToString("{\"omitted_bytes\":40}");
        assertThat(ended.end().outputs()).hasToString("{\"a\":1}");
    }

    @Test
    void runEndedBeforeStartReservesItsInputs() {
        RecordedTrace small = new RecordedTrace(TracedFixture.run("agent", "{\"a\":1}"), TracedFixture.START, 5_000, queue,
                drops);
        RecordedTrace large = new RecordedTrace(TracedFixture.run("agent", "{\"a\":\"" + "x".repeat(6_000) + "\"}"),
                TracedFixture.START,
                5_000,
                queue, drops);

        small.ended(TracedFixture.end("Cancelled", "{}"));
        large.ended(TracedFixture.end("Cancelled", "{}"));

        CompletedTrace first = queue.poll();
        CompletedTrace second = queue.poll();
        assertThat(first.reservedBytes()).isGreaterThan(first.run().size() + 2 * 400);
        assertThat(second.run().inputs()).hasToString("{\"omitted_bytes\":" + 6_121 + "}");
        assertThat(queue.used()).isEqualTo(first.reservedBytes() + second.reservedBytes());
    }

    private RecordedTrace trace(long max) {
        RecordedTrace trace = new RecordedTrace(TracedFixture.run("agent", "{}"), TracedFixture.START, max, queue, drops);
        trace.started(TracedFixture.START);
        return trace;
    }

    private double dropped(String reason) {
        return metrics.get("waybill.runtime.traces.dropped").tag("reason", reason).counter().count();
    }
}
