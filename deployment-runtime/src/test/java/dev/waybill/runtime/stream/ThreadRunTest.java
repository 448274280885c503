package dev.waybill.runtime.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.EventReader;
import dev.waybill.runtime.EventReader.Event;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.ThreadCaller;

@RuntimeTest
class ThreadRunTest {

    private static final String LONG = "wait 60000";
    private static final String RESUMABLE = "\"stream_resumable\": true";

    @Test
    void threadRemembersMessagesOfEarlierRuns() {
        ThreadCaller thread = ThreadCaller.create();

        thread.await(Bodies.threads("hello")).then().statusCode(200).body("messages[1].content", equalTo("1: hello"));
        thread.await(Bodies.threads("again")).then().body("messages[3].content", equalTo("3: again"));

        thread.read().then().body("status", equalTo("idle"))
                .body("values.messages", hasSize(4)).body("values.log", equalTo(List.of("hello", "again")))
                .body("metadata.graph_id", equalTo("threads"));
        thread.get("").then().body("status", equalTo(List.of("success", "success")))
                .body("multitask_strategy", equalTo(List.of("enqueue", "enqueue")));
    }

    @Test
    void interruptedRunIsResumed() {
        ThreadCaller thread = ThreadCaller.create();

        thread.await(Bodies.threads("ask")).then().body("__interrupt__[0].value.question", equalTo("sure?"));
        thread.read().then().body("status", equalTo("interrupted"))
                .body("interrupts.values()[0][0].value.question", equalTo("sure?"));
        thread.await(Bodies.resume("yes")).then().body("messages[1].content", equalTo("answered yes"));

        thread.read().then().body("status", equalTo("idle")).body("interrupts.size()", equalTo(0));
    }

    @Test
    void breakpointStopsBeforeItsNode() {
        ThreadCaller thread = ThreadCaller.create();

        thread.await(Bodies.threads("hello", "\"interrupt_before\": [\"talk\"]")).then().body("messages", hasSize(1));
        thread.read().then().body("status", equalTo("interrupted"));
        thread.await("{\"assistant_id\": \"threads\", \"input\": null}").then().body("messages[1].content",
                equalTo("1: hello"));

        assertThat(thread.status()).isEqualTo("idle");
    }

    @Test
    void runWithoutInputContinuesAtTheCheckpoint() {
        ThreadCaller thread = ThreadCaller.create();

        thread.await(Bodies.threads("hello", "\"interrupt_before\": [\"talk\"]"));
        thread.await("{\"assistant_id\": \"threads\"}").then().statusCode(200).body("messages[1].content",
                equalTo("1: hello"));
    }

    @Test
    void streamEndsWhenTheResultIsStored() {
        ThreadCaller thread = ThreadCaller.create();

        try (EventReader stream = EventReader.streamOnThread(thread.id(), Bodies.threads("hello"))) {
            List<Event> events = stream.rest();

            assertThat(stream.header("Content-Location")).isEqualTo("/threads/" + thread.id() + "/runs/" + stream.run());
            assertThat(events).extracting(Event::name).startsWith("metadata", "values").endsWith("end");
            assertThat(thread.status(stream.run())).isEqualTo("success");
            assertThat(thread.status()).isEqualTo("idle");
        }
    }

    @Test
    void resumableStreamIsJoinedFromItsFirstEvent() {
        ThreadCaller thread = ThreadCaller.create();
        try (EventReader stream = EventReader.streamOnThread(thread.id(),
                Bodies.threads("hello", "\"stream_resumable\": true", "\"stream_mode\": \"updates\""))) {
            List<Event> events = stream.rest();

            try (EventReader joined = EventReader.joinOnThread(thread.id(), stream.run(), "-1")) {
                assertThat(joined.rest()).isEqualTo(events).extracting(Event::name)
                        .containsExactly("metadata", "updates", "updates", "end");
            }
        }
    }

    @Test
    void joinReturnsTheInterruptsOfTheThread() {
        ThreadCaller thread = ThreadCaller.create();
        String run = thread.start(Bodies.threads("ask"));

        thread.get("/" + run + "/join").then()
                .body("messages[0].content", equalTo("ask"))
                .body("__interrupt__[0].value.question", equalTo("sure?"));
    }

    @Test
    void joinReturnsTheValuesOfTheThread() {
        ThreadCaller thread = ThreadCaller.create();
        String run = thread.start(Bodies.threads("wait 100"));

        thread.get("/" + run + "/join").then().body("messages[1].content", equalTo("waited"));
        thread.get("/" + run + "/join").then().body("messages[1].content", equalTo("waited"));
    }

    @Test
    void failedRunSetsItsThreadToError() {
        ThreadCaller thread = ThreadCaller.create();

        thread.await(Bodies.threads("fail")).then().statusCode(200).body("__error__.error", equalTo("AskedToFail"));

        thread.read().then().body("status", equalTo("error")).body("values.log", equalTo(List.of("fail")));
        thread.get("").then().body("[0].status", equalTo("error")).body("[0].error.error", equalTo("AskedToFail"));
        thread.await(Bodies.threads("hello")).then().body("messages", hasSize(3));
        assertThat(thread.status()).isEqualTo("idle");
    }

    @Test
    void busyThreadRejectsARun() {
        ThreadCaller thread = ThreadCaller.create();
        String first = thread.start(Bodies.threads(LONG));

        thread.post("/wait", Bodies.threads("hello", "\"multitask_strategy\": \"reject\"")).then().statusCode(409)
                .contentType("application/problem+json").body("detail", containsString("active run"));

        assertThat(thread.status()).isEqualTo("busy");
        thread.get("").then().body("run_id", equalTo(List.of(first)));
        thread.post("/" + first + "/cancel?wait=1", "").then().statusCode(204);
    }

    @Test
    void enqueuedRunsStartInTheirOrder() {
        ThreadCaller thread = ThreadCaller.create();
        thread.start(Bodies.threads("wait 300"));
        String second = thread.start(Bodies.threads("second"));

        thread.await(Bodies.threads("third")).then().body("log", equalTo(List.of("wait 300", "second", "third")));

        assertThat(thread.status(second)).isEqualTo("success");
    }

    @ParameterizedTest
    @CsvSource({ "interrupt,interrupted,2", "rollback,missing,1" })
    void activeRunIsCancelledByTheNext(String strategy, String status, int steps) {
        ThreadCaller thread = ThreadCaller.create();
        String first = thread.start(Bodies.threads(LONG, RESUMABLE));
        thread.awaitBegin(first);

        thread.await(Bodies.threads("next", "\"multitask_strategy\": \"" + strategy + "\"")).then().statusCode(200)
                .body("log", hasSize(steps));

        assertThat(thread.status(first)).isEqualTo(status);
        assertThat(thread.status()).isEqualTo("idle");
    }

    @ParameterizedTest
    @CsvSource({ "interrupt,interrupted,true", "rollback,missing,false" })
    void cancelledRunKeepsItsCheckpointsUnlessItIsRolledBack(String action, String status, boolean keeps) {
        ThreadCaller thread = ThreadCaller.create();
        String run = thread.start(Bodies.threads(LONG, RESUMABLE));
        thread.awaitBegin(run);

        thread.post("/" + run + "/cancel?wait=1&action=" + action, "").then().statusCode(204);

        assertThat(thread.status(run)).isEqualTo(status);
        assertThat(thread.status()).isEqualTo("idle");
        assertThat(thread.read().<Object> path("values.log")).isEqualTo(keeps ? List.of(LONG) : null);
    }

    @Test
    void pendingRunIsCancelled() {
        ThreadCaller thread = ThreadCaller.create();
        String first = thread.start(Bodies.threads(LONG));
        String pending = thread.start(Bodies.threads("never"));

        thread.post("/" + pending + "/cancel?wait=1", "").then().statusCode(204);

        assertThat(thread.status(pending)).isEqualTo("interrupted");
        thread.post("/" + first + "/cancel?wait=1", "").then().statusCode(204);
        thread.post("/" + first + "/cancel", "").then().statusCode(202);
    }

    @Test
    void disconnectedClientCancelsItsRun() {
        ThreadCaller thread = ThreadCaller.create();
        String run;
        try (EventReader stream = EventReader.streamOnThread(thread.id(), Bodies.threads(LONG))) {
            run = stream.run();
            stream.next();
        }

        thread.awaitStatus(run, "interrupted");
        assertThat(thread.status()).isEqualTo("idle");
    }

    @Test
    void endedRunIsDeletedWhileNoneIsRunning() {
        ThreadCaller thread = ThreadCaller.create();
        thread.await(Bodies.threads("hello"));
        String run = thread.get("").path("[0].run_id");
        String active = thread.start(Bodies.threads(LONG));
        Caller caller = thread.caller();

        caller.delete("/threads/" + thread.id() + "/runs/" + run).then().statusCode(409);
        caller.delete("/threads/" + thread.id() + "/runs/" + active).then().statusCode(409);
        thread.post("/" + active + "/cancel?wait=1", "").then().statusCode(204);

        caller.delete("/threads/" + thread.id() + "/runs/" + run).then().statusCode(204);
        caller.delete("/threads/" + thread.id() + "/runs/" + run).then().statusCode(404);
        assertThat(thread.status(run)).isEqualTo("missing");
    }

    @Test
    void runForksFromACheckpointOfItsThreadOnly() {
        ThreadCaller thread = ThreadCaller.create();
        String checkpoint = lastCheckpoint(thread, Bodies.threads("first", "\"stream_mode\": \"checkpoints\""));
        thread.await(Bodies.threads("second")).then().body("log", equalTo(List.of("first", "second")));
        String fork = Bodies.threads("third", "\"checkpoint_id\": \"" + checkpoint + "\"");

        thread.await(fork).then().statusCode(200).body("log", equalTo(List.of("first", "third")));
        ThreadCaller.create().await(fork).then().statusCode(404).body("detail", containsString("has no checkpoint"));
    }

    @Test
    void runForksFromACheckpointThatItsGraphStores() {
        ThreadCaller thread = ThreadCaller.create();
        String checkpoint = lastCheckpoint(thread, Bodies.threadsOwn("first", "\"stream_mode\": \"checkpoints\""));
        thread.await(Bodies.threadsOwn("second")).then().body("log", equalTo(List.of("first", "second")));

        thread.await(Bodies.threadsOwn("third", "\"checkpoint_id\": \"" + checkpoint + "\"")).then().statusCode(200)
                .body("log", equalTo(List.of("first", "third")));
    }

    private static String lastCheckpoint(ThreadCaller thread, String body) {
        try (EventReader stream = EventReader.streamOnThread(thread.id(), body)) {
            return stream.rest().stream().filter(event -> event.name().equals("checkpoints")).toList().getLast().data()
                    .at("/config/configurable/checkpoint_id").textValue();
        }
    }

    @Test
    void missingThreadIsCreatedOnRequestOnly() {
        ThreadCaller missing = new ThreadCaller(Caller.authorized(), UUID.randomUUID().toString());

        missing.await(Bodies.threads("hello")).then().statusCode(404).contentType("application/problem+json");
        missing.get("").then().statusCode(404);
        missing.await(Bodies.threads("hello", "\"if_not_exists\": \"create\"")).then().statusCode(200);

        assertThat(missing.status()).isEqualTo("idle");
    }

    @Test
    void runsOfAnotherOwnerAreMissing() {
        ThreadCaller thread = ThreadCaller.create();
        String run = thread.start(Bodies.threads("hello"));
        ThreadCaller other = new ThreadCaller(new Caller("issued-" + UUID.randomUUID()), thread.id());

        other.await(Bodies.threads("hello")).then().statusCode(404);
        other.get("").then().statusCode(404);
        for (String path : List.of("", "/stream", "/join")) {
            other.get("/" + run + path).then().statusCode(404);
        }
        other.post("/" + run + "/cancel", "").then().statusCode(404);

        thread.awaitStatus(run, "success");
    }

    @Test
    void stateAboveItsLimitFailsTheRun() {
        ThreadCaller thread = ThreadCaller.create();

        String run = thread.start(Bodies.threads("fill 22000000", "\"stream_mode\": \"custom\""));

        thread.awaitStatus(run, "error");
        thread.get("/" + run).then().body("error.error", equalTo("StateTooLarge"));
        thread.read().then().body("status", equalTo("error"));
        thread.await(Bodies.threads("hello")).then().body("messages", hasSize(3));
    }

    @Test
    void stateBelowItsLimitIsStoredAndReturned() {
        ThreadCaller thread = ThreadCaller.create();
        String modes = "\"stream_mode\": \"custom\"";

        String stored = thread.await(Bodies.threads("fill 18000000", modes)).then().statusCode(200).extract()
                .path("messages[1].content");

        assertThat(stored).hasSize(18_000_000);
        assertThat(thread.status()).isEqualTo("idle");
        thread.await(Bodies.threads("hello", modes)).then().statusCode(200).body("messages", hasSize(4));
    }

    @Test
    void workerWithoutMemoryIsRejected() {
        ThreadCaller.create().await(Bodies.misbehaving("anything")).then().statusCode(422)
                .body("detail", containsString("whose worker remembers"));
    }

    @Test
    void invalidMembersAreReportedTogether() {
        ThreadCaller thread = ThreadCaller.create();

        thread.await(
                Bodies.threads("hello", "\"interrupt_before\": 1", "\"checkpoint_id\": \"x\"", "\"durability\": \"never\""))
                .then().statusCode(422).body("errors", hasSize(3));
        thread.get("?limit=0&status=done").then().statusCode(422).body("errors", hasSize(2));
        thread.post("/" + UUID.randomUUID() + "/cancel?action=stop", "").then().statusCode(422);
    }

    @Test
    void delayedRunStartsLater() {
        ThreadCaller thread = ThreadCaller.create();

        String run = thread.start(Bodies.threads("hello", "\"after_seconds\": 1"));

        assertThat(thread.status(run)).isEqualTo("pending");
        thread.awaitStatus(run, "success");
        Patience.await().until(() -> thread.status().equals("idle"));
    }
}
