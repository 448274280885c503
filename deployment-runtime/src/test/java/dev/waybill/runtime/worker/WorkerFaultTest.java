package dev.waybill.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import java.util.ArrayList;
import java.util.List;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.EventReader;
import dev.waybill.runtime.EventReader.Event;
import dev.waybill.runtime.RuntimeTest;

/** Faults of a worker are reported and do not affect other runs. */
@RuntimeTest
class WorkerFaultTest {

    private static final String CUSTOM = "\"stream_mode\": \"custom\"";

    private final Caller caller = Caller.authorized();

    @Inject
    Workers workers;

    @ParameterizedTest
    @ValueSource(strings = { "garbage", "long-answer", "some-too-many" })
    void protocolViolationFailsOnlyItsRun(String fault) {
        try (EventReader other = EventReader.stream(Bodies.misbehaving("stay", CUSTOM));
                EventReader spoilt = EventReader.stream(Bodies.misbehaving(fault, CUSTOM))) {
            assertThat(other.next()).isPresent();

            Event end = spoilt.rest().getLast();
            caller.await(Bodies.misbehaving("end")).then().statusCode(200);

            assertThat(end.name()).isEqualTo("error");
            assertThat(end.data().at("/error").textValue()).isEqualTo("ProtocolViolation");
            assertThat(other.rest()).extracting(Event::name).contains("custom").endsWith("end");
        }
    }

    @Test
    void tooLargeEventIsOmittedAndItsRunContinues() {
        try (EventReader stream = EventReader.stream(Bodies.misbehaving("long", CUSTOM))) {
            List<Event> events = stream.rest();

            assertThat(events).extracting(Event::name).containsExactly("metadata", "custom", "omitted", "end");
            assertThat(events.get(2).data().at("/event").textValue()).isEqualTo("custom");
            assertThat(events.get(2).data().at("/bytes").intValue()).isBetween(100 << 20, (100 << 20) + 200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "exit", "anonymous-garbage", "flood" })
    void brokenWorkerFailsItsRunsAndIsReplaced(String fault) {
        try (EventReader other = EventReader.stream(Bodies.misbehaving("stay", CUSTOM));
                EventReader culprit = EventReader.stream(Bodies.misbehaving(fault, CUSTOM))) {
            assertThat(culprit.rest()).extracting(Event::name).endsWith("error");
            Event end = other.rest().getLast();

            assertThat(end.name()).isEqualTo("error");
            assertThat(end.data().at("/error").textValue()).isEqualTo("WorkerDied");
        }
        assertThat(caller.await(Bodies.misbehaving("pid")).asString().strip()).containsOnlyDigits();
        caller.await(Bodies.agent("hello")).then().statusCode(200).body("messages[1].content", equalTo("hello"));
    }

    @ParameterizedTest
    @CsvSource({ "speak-and-fail, Half", "speak-and-exit, WorkerDied" })
    void failureDuringStreamSendsOneError(String fault, String error) {
        try (EventReader stream = EventReader.stream(Bodies.misbehaving(fault, CUSTOM))) {
            List<Event> events = stream.rest();
            assertThat(events).extracting(Event::name).containsExactly("metadata", "custom", "error");
            assertThat(events.getLast().data().at("/error").textValue()).isEqualTo(error);
        }
    }

    @Test
    void killedWorkerFailsItsRunsAndIsRestarted() {
        List<EventReader> streams = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                streams.add(EventReader.stream(Bodies.misbehaving("stay", CUSTOM)));
            }
            long killed = Long.parseLong(caller.await(Bodies.misbehaving("pid")).asString().strip());
            assertThat(workers.pids("misbehaving")).contains(killed);

            ProcessHandle.of(killed).orElseThrow().destroyForcibly();

            assertThat(streams).allSatisfy(stream -> {
                List<Event> events = stream.rest();
                assertThat(events).extracting(Event::name).containsExactly("metadata", "error");
                assertThat(events.getLast().data().at("/error").textValue()).isEqualTo("WorkerDied");
            });
            assertThat(Long.parseLong(caller.await(Bodies.misbehaving("pid")).asString().strip())).isNotEqualTo(killed);
        } finally {
            streams.forEach(EventReader::close);
        }
    }

    @Test
    @Tag("full")
    void workerIgnoringCancelIsReplacedAfterItsOtherRuns() {
        long deaf = Long.parseLong(caller.await(Bodies.misbehaving("pid")).asString().strip());
        try (EventReader other = EventReader.stream(Bodies.misbehaving("stay", CUSTOM))) {
            String ignored = caller.start(Bodies.misbehaving("deaf"));

            caller.cancel(ignored).then().statusCode(202);

            assertThat(caller.status(ignored)).isEqualTo("interrupted");
            Patience.await().until(() -> workers.pids("misbehaving").size() == 2);
            assertThat(Long.parseLong(caller.await(Bodies.misbehaving("pid")).asString().strip())).isNotEqualTo(deaf);
            caller.cancel(other.run());
            Patience.await().until(() -> !workers.pids("misbehaving").contains(deaf));
        }
    }

    @Test
    void lateEventsOfManyCancelledRunsAreHarmless() {
        long worker = Long.parseLong(caller.await(Bodies.misbehaving("pid")).asString().strip());
        for (int i = 0; i < 12; i++) {
            String run = caller.start(Bodies.misbehaving("talkative"));
            caller.cancel(run).then().statusCode(202);
        }

        assertThat(Long.parseLong(caller.await(Bodies.misbehaving("pid")).asString().strip())).isEqualTo(worker);
    }

    @Test
    void strayOutputIsHarmless() {
        assertThat(caller.await(Bodies.misbehaving("print")).asString().strip()).isEqualTo("\"printed\"");
    }

    @Test
    void workersOnlyGetApplicationsEnvironment() {
        assertThat(caller.await(Bodies.misbehaving("env")).asString().strip()).isEqualTo("\"hello null\"");
    }

    @Test
    void workerDataCannotForgeEvents() {
        try (EventReader stream = EventReader.stream(Bodies.misbehaving("inject", CUSTOM))) {
            List<Event> events = stream.rest();

            assertThat(events).extracting(Event::name).containsExactly("metadata", "custom", "error");
            assertThat(events.get(1).data().at("/b").textValue()).isEqualTo("\r\ndata: 2");
        }
    }
}
