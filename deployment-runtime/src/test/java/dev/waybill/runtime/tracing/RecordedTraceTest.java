package dev.waybill.runtime.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;

import org.junit.jupiter.api.Test;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** Whatever comes, a trace takes the memory that it may have. */
class RecordedTraceTest {

    private static final int CAPACITY = 50_000;

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final Drops drops = new Drops(metrics, Clock.systemUTC());
    private final TraceQueue queue = new TraceQueue(CAPACITY);

    @Test
    void aFloodOfStepsIsDroppedAndCounted() {
        RecordedTrace trace = trace(20_000);

        for (int i = 0; i < 10_000; i++) {
            trace.step(Traced.begin("step-" + i, i, ""));
        }
        trace.ended(Traced.end(null, "{}"));

        EndedTrace ended = queue.poll();
        assertThat(ended.steps()).isNotEmpty().hasSizeLessThan(100);
        assertThat(dropped("trace_size")).isEqualTo(10_000 - ended.steps().size());
        assertThat(queue.used()).isEqualTo(ended.held()).isLessThan(CAPACITY);
    }

    @Test
    void aThousandStepsAreTheMostOfOneTrace() {
        TraceQueue large = new TraceQueue(1 << 30);
        RecordedTrace trace = new RecordedTrace(Traced.run("agent", "{}"), Traced.START, 1 << 30, large, drops);

        for (int i = 0; i < 1_003; i++) {
            trace.step(Traced.begin("step-" + i, i, ""));
        }
        trace.ended(Traced.end(null, "{}"));

        assertThat(large.poll().steps()).hasSize(1_000);
        assertThat(dropped("trace_size")).isEqualTo(3);
    }

    @Test
    void runsThatFindNoRoomAreDroppedWithTheirStepsAndTakeNone() {
        RecordedTrace first = trace(CAPACITY);
        RecordedTrace second = trace(CAPACITY);
        String large = "{\"a\":\"" + "x".repeat(40_000) + "\"}";

        second.step(Traced.begin("step", 1, ""));
        first.ended(Traced.end(null, large));
        second.ended(Traced.end(null, large));

        assertThat(dropped("full")).isEqualTo(2);
        EndedTrace kept = queue.poll();
        assertThat(queue.poll()).isNull();
        queue.release(kept.held());
        assertThat(queue.used()).isZero();
    }

    @Test
    void whatCannotBeUnderstoodIsCountedAndWhatComesLateIsNot() {
        RecordedTrace trace = trace(CAPACITY);

        trace.step(Traced.step("nameless", ""));
        trace.step(Traced.step("timeless", ",\"name\":\"n\",\"start_time\":\"yesterday\",\"run_type\":[1,{}],\"inputs\":[[]]"));
        trace.ended(Traced.end(null, "{}"));
        trace.step(Traced.begin("late", 1, ""));
        trace.ended(Traced.end(null, "{}"));

        assertThat(dropped("invalid")).isEqualTo(2);
        assertThat(queue.poll().rows()).isOne();
        assertThat(queue.poll()).isNull();
    }

    @Test
    void withoutRoomARunIsTracedWithoutItsInputsIfThereIsRoomAtItsEnd() {
        queue.reserve(CAPACITY);
        RecordedTrace trace = trace(CAPACITY);
        queue.release(CAPACITY);

        trace.ended(Traced.end(null, "{\"a\":1}"));

        EndedTrace ended = queue.poll();
        assertThat(ended.run().inputs()).hasToString("{\"omitted_bytes\":40}");
        assertThat(ended.end().outputs()).hasToString("{\"a\":1}");
    }

    @Test
    void whatARunWasGivenThatEndedBeforeItBeganTakesItsMemoryToo() {
        RecordedTrace small = new RecordedTrace(Traced.run("agent", "{\"a\":1}"), Traced.START, 5_000, queue, drops);
        RecordedTrace large = new RecordedTrace(Traced.run("agent", "{\"a\":\"" + "x".repeat(6_000) + "\"}"), Traced.START,
                5_000,
                queue, drops);

        small.ended(Traced.end("Cancelled", "{}"));
        large.ended(Traced.end("Cancelled", "{}"));

        EndedTrace first = queue.poll();
        EndedTrace second = queue.poll();
        assertThat(first.held()).isGreaterThan(first.run().size() + 2 * 400);
        assertThat(second.run().inputs()).hasToString("{\"omitted_bytes\":" + 6_121 + "}");
        assertThat(queue.used()).isEqualTo(first.held() + second.held());
    }

    private RecordedTrace trace(long most) {
        RecordedTrace trace = new RecordedTrace(Traced.run("agent", "{}"), Traced.START, most, queue, drops);
        trace.begun(Traced.START);
        return trace;
    }

    private double dropped(String reason) {
        return metrics.get("waybill.runtime.traces.dropped").tag("reason", reason).counter().count();
    }
}
