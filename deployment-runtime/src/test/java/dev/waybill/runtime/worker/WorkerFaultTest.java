package dev.waybill.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import java.util.ArrayList;
import java.util.List;

import jakarta.inject.Inject;

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

/** What a worker may do wrong: told, contained, and nobody else's trouble. */
@RuntimeTest
class WorkerFaultTest {

    private static final String CUSTOM = "\"stream_mode\": \"custom\"";

    private final Caller caller = Caller.ours();

    @Inject
    Workers workers;

    @ParameterizedTest
    @ValueSource(strings = { "garbage", "long", "long-answer", "some-too-many" })
    void aRunThatIsSpoiltTakesNoOtherWithIt(String fault) {
        try (EventReader other = EventReader.stream(Bodies.naughty("stay", CUSTOM));
                EventReader spoilt = EventReader.stream(Bodies.naughty(fault, CUSTOM))) {
            assertThat(other.next()).isPresent();

            Event end = spoilt.rest().getLast();
            caller.await(Bodies.naughty("end")).then().statusCode(200);

            assertThat(end.name()).isEqualTo("error");
            assertThat(end.data().at("/error").textValue()).isEqualTo("ProtocolViolation");
            assertThat(other.rest()).extracting(Event::name).contains("custom").endsWith("end");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "exit", "anonymous-garbage", "flood" })
    void aWorkerThatCannotGoOnEndsItsRunsInWordsAndIsReplaced(String fault) {
        try (EventReader other = EventReader.stream(Bodies.naughty("stay", CUSTOM));
                EventReader culprit = EventReader.stream(Bodies.naughty(fault, CUSTOM))) {
            assertThat(culprit.rest()).extracting(Event::name).endsWith("error");
            Event end = other.rest().getLast();

            assertThat(end.name()).isEqualTo("error");
            assertThat(end.data().at("/error").textValue()).isEqualTo("WorkerDied");
        }
        assertThat(caller.await(Bodies.naughty("pid")).asString().strip()).containsOnlyDigits();
        caller.await(Bodies.agent("hello")).then().statusCode(200).body("messages[1].content", equalTo("hello"));
    }

    @ParameterizedTest
    @CsvSource({ "speak-and-fail, Half", "speak-and-exit, WorkerDied" })
    void aStreamWhoseGraphFailsInTheMiddleEndsWithOneError(String fault, String error) {
        try (EventReader stream = EventReader.stream(Bodies.naughty(fault, CUSTOM))) {
            List<Event> events = stream.rest();
            assertThat(events).extracting(Event::name).containsExactly("metadata", "custom", "error");
            assertThat(events.getLast().data().at("/error").textValue()).isEqualTo(error);
        }
    }

    @Test
    void ofAKilledWorkerEveryRunIsToldAndTheNextOneWorks() {
        List<EventReader> streams = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                streams.add(EventReader.stream(Bodies.naughty("stay", CUSTOM)));
            }
            long killed = Long.parseLong(caller.await(Bodies.naughty("pid")).asString().strip());
            assertThat(workers.pids("naughty")).contains(killed);

            ProcessHandle.of(killed).orElseThrow().destroyForcibly();

            assertThat(streams).allSatisfy(stream -> {
                List<Event> events = stream.rest();
                assertThat(events).extracting(Event::name).containsExactly("metadata", "error");
                assertThat(events.getLast().data().at("/error").textValue()).isEqualTo("WorkerDied");
            });
            assertThat(Long.parseLong(caller.await(Bodies.naughty("pid")).asString().strip())).isNotEqualTo(killed);
        } finally {
            streams.forEach(EventReader::close);
        }
    }

    @Test
    void aWorkerThatIgnoresCancelIsReplacedWhenItsOtherRunsHaveEnded() {
        long deaf = Long.parseLong(caller.await(Bodies.naughty("pid")).asString().strip());
        try (EventReader other = EventReader.stream(Bodies.naughty("stay", CUSTOM))) {
            String ignored = caller.start(Bodies.naughty("deaf"));

            caller.cancel(ignored).then().statusCode(202);

            assertThat(caller.status(ignored)).isEqualTo("interrupted");
            Patience.await().until(() -> workers.pids("naughty").size() == 2);
            assertThat(Long.parseLong(caller.await(Bodies.naughty("pid")).asString().strip())).isNotEqualTo(deaf);
            caller.cancel(other.run());
            Patience.await().until(() -> !workers.pids("naughty").contains(deaf));
        }
    }

    @Test
    void aStrayPrintHarmsNothing() {
        assertThat(caller.await(Bodies.naughty("print")).asString().strip()).isEqualTo("\"printed\"");
    }

    @Test
    void workersHaveTheApplicationsEnvironmentAndNothingOfTheRuntimes() {
        assertThat(caller.await(Bodies.naughty("env")).asString().strip()).isEqualTo("\"hello null\"");
    }

    @Test
    void nothingThatAWorkerSendsLooksLikeAnotherEvent() {
        try (EventReader stream = EventReader.stream(Bodies.naughty("inject", CUSTOM))) {
            List<Event> events = stream.rest();

            assertThat(events).extracting(Event::name).containsExactly("metadata", "custom", "error");
            assertThat(events.get(1).data().at("/b").textValue()).isEqualTo("\r\ndata: 2");
        }
    }
}
