package dev.waybill.runtime.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.ThreadCaller;
import io.restassured.response.Response;

@RuntimeTest
class ThreadPruningTest {

    private final Caller caller = Caller.authorized();

    @Test
    void threadsAreDeletedOnce() {
        ThreadCaller first = ThreadCaller.create();
        ThreadCaller second = ThreadCaller.create();
        ThreadCaller other = ThreadCaller.create();
        String absent = UUID.randomUUID().toString();

        prune("", first.id(), second.id(), second.id(), absent).then().statusCode(200).body("pruned_count", equalTo(2));

        first.read().then().statusCode(404);
        second.read().then().statusCode(404);
        other.read().then().statusCode(200);
        prune("delete", first.id(), absent).then().statusCode(200).body("pruned_count", equalTo(0));
    }

    @Test
    void keepLatestKeepsTheStateAndDropsTheHistory() {
        ThreadCaller thread = ThreadCaller.create();
        thread.await(Bodies.threads("one"));
        thread.await(Bodies.threads("two"));
        String path = "/threads/" + thread.id();
        Response before = caller.get(path + "/state");

        prune("keep_latest", thread.id()).then().statusCode(200).body("pruned_count", equalTo(1));

        caller.get(path + "/history?limit=100").then().body("$", hasSize(1));
        assertThat(caller.get(path + "/state").<Object> path("values")).isEqualTo(before.path("values"));
        thread.await(Bodies.threads("three")).then().body("messages", hasSize(6));
    }

    @Test
    void keepLatestLeavesBusyThreadsUnchanged() {
        ThreadCaller thread = ThreadCaller.create();
        String run = thread.start(Bodies.threads("wait 60000", "\"stream_resumable\": true"));
        thread.awaitBegin(run);

        prune("keep_latest", thread.id()).then().statusCode(200).body("pruned_count", equalTo(0));

        assertThat(thread.status(run)).isEqualTo("running");
        thread.post("/" + run + "/cancel", "").then().statusCode(202);
    }

    @Test
    void threadsOfAnotherOwnerStay() {
        ThreadCaller thread = ThreadCaller.create();
        Caller other = new Caller("issued-" + UUID.randomUUID());

        for (String strategy : List.of("delete", "keep_latest")) {
            other.post("/threads/prune", body(strategy, thread.id())).then().statusCode(200)
                    .body("pruned_count", equalTo(0));
        }

        thread.read().then().statusCode(200);
    }

    @ParameterizedTest
    @ValueSource(strings = { "{}", "{\"thread_ids\": 1}", "{\"thread_ids\": [], \"strategy\": \"archive\"}" })
    void invalidRequestsAreRejected(String body) {
        caller.post("/threads/prune", body).then().statusCode(422).body("errors", hasSize(1));
    }

    @Test
    void moreThanAThousandIdsAreRejected() {
        String ids = Stream.generate(() -> '"' + UUID.randomUUID().toString() + '"').limit(1001)
                .collect(Collectors.joining(","));

        caller.post("/threads/prune", "{\"thread_ids\": [" + ids + "]}").then().statusCode(422);
        caller.post("/threads/prune", "{\"thread_ids\": []}").then().statusCode(200).body("pruned_count", equalTo(0));
    }

    private Response prune(String strategy, String... threads) {
        return caller.post("/threads/prune", body(strategy, threads));
    }

    private static String body(String strategy, String... threads) {
        String ids = Stream.of(threads).map(id -> '"' + id + '"').collect(Collectors.joining(","));
        return "{\"thread_ids\": [" + ids + "]" + (strategy.isEmpty() ? "" : ", \"strategy\": \"" + strategy + "\"") + "}";
    }
}
