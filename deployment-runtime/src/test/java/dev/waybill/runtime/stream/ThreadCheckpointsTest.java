package dev.waybill.runtime.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.EventReader;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.ThreadCaller;
import io.restassured.response.Response;

/** The channel of checkpoints, and forks from checkpoints that it names. */
@RuntimeTest
class ThreadCheckpointsTest {

    private final Caller caller = Caller.authorized();
    private final String thread = UUID.randomUUID().toString();

    @Test
    void checkpointsAreNamedBeforeTheirValues() {
        String run = start(Bodies.threads("one")).path("result.run_id");

        List<JsonNode> events = untilEnd();

        assertThat(events).extracting(ThreadCheckpointsTest::methodOf).containsExactly("checkpoints", "values", "checkpoints",
                "values", "checkpoints", "values");
        JsonNode before = events.get(2).at("/params/data");
        JsonNode last = events.get(4).at("/params/data");
        assertThat(last.get("parent_id")).isEqualTo(before.get("id"));
        assertThat(last.get("source").textValue()).isEqualTo("loop");
        caller.get("/threads/" + thread + "/state").then()
                .body("checkpoint.checkpoint_id", equalTo(last.get("id").textValue()))
                .body("parent_checkpoint.checkpoint_id", equalTo(before.get("id").textValue()));
        try (EventReader stream = EventReader.joinOnThread(thread, run, run + ":0")) {
            assertThat(stream.rest()).extracting(EventReader.Event::name).contains("values").doesNotContain("checkpoints");
        }
    }

    @Test
    void runForksFromACheckpointOfTheRunningRun() {
        start(Bodies.threads("wait 60000"));
        try (EventReader stream = subscribe("[\"checkpoints\"]")) {
            JsonNode first = stream.next().orElseThrow().data().at("/params/data");
            JsonNode second = stream.next().orElseThrow().data().at("/params/data");
            assertThat(second.get("parent_id")).isEqualTo(first.get("id"));

            String fork = fork(second.get("id").textValue()).then().statusCode(200).extract().path("result.run_id");
            new ThreadCaller(caller, thread).awaitStatus(fork, "success");
        }

        caller.get("/threads/" + thread).then().body("values.log", equalTo(List.of("wait 60000", "fork")));
    }

    @Test
    void unknownCheckpointOfABusyThreadIsNotFound() {
        start(Bodies.threads("wait 60000"));

        fork("1f000000-0000-6000-8000-000000000000").then().statusCode(404)
                .body("detail", containsString("has no checkpoint"));

        caller.post("/runs/cancel", "{\"thread_id\": \"" + thread + "\", \"status\": \"all\"}");
    }

    private Response fork(String checkpoint) {
        return start(Bodies.threads("fork", "\"multitask_strategy\": \"interrupt\"",
                "\"config\": {\"configurable\": {\"checkpoint_id\": \"" + checkpoint + "\"}}"));
    }

    private Response start(String params) {
        return caller.post("/threads/" + thread + "/commands",
                "{\"id\": 7, \"method\": \"run.start\", \"params\": " + params + "}");
    }

    private EventReader subscribe(String channels) {
        return EventReader.channels(thread, "{\"channels\": " + channels + "}");
    }

    /** Returns the checkpoints and values of the newest run when it has ended. */
    private List<JsonNode> untilEnd() {
        List<JsonNode> events = new ArrayList<>();
        try (EventReader stream = subscribe("[\"checkpoints\", \"values\", \"lifecycle\"]")) {
            for (boolean ended = false; !ended;) {
                JsonNode event = stream.next().orElseThrow().data();
                if (!methodOf(event).equals("lifecycle")) {
                    events.add(event);
                } else {
                    ended = event.at("/params/namespace").isEmpty()
                            && !event.at("/params/data/event").textValue().equals("running");
                }
            }
        }
        return events;
    }

    private static String methodOf(JsonNode event) {
        return event.get("method").textValue();
    }
}
