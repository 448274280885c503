package dev.waybill.runtime.thread;

import static org.hamcrest.Matchers.aMapWithSize;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import dev.waybill.runtime.Caller;
import dev.waybill.runtime.RuntimeSettings;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.access.ThreadOwner;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RunStorage.Replica;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.State;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.ThreadStorage.ChannelValue;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;
import io.restassured.RestAssured;
import io.restassured.response.Response;

@RuntimeTest
class ThreadResourceTest {

    private final Caller caller = Caller.authorized();
    private final String test = UUID.randomUUID().toString();

    @Inject
    RuntimeStorage storage;

    @Test
    void createdThreadIsIdleAndEmpty() {
        String id = UUID.randomUUID().toString();

        Response created = caller.post("/threads", "{\"thread_id\": \"%s\", \"metadata\": {\"a\": 1.50}}".formatted(id));

        created.then().statusCode(200)
                .body("thread_id", equalTo(id))
                .body("status", equalTo("idle"))
                .body("metadata.a", equalTo(1.5f))
                .body("config", aMapWithSize(0))
                .body("interrupts", aMapWithSize(0))
                .body("$", hasKey("values")).body("values", nullValue())
                .body("$", not(hasKey("error")))
                .body("created_at", notNullValue());
        caller.get("/threads/" + id).then().statusCode(200).body(equalTo(created.asString()));
    }

    @Test
    void existingIdIsAConflictUnlessItIsAccepted() {
        String id = create("{}");
        String body = "{\"thread_id\": \"%s\", \"metadata\": {\"b\": 2}%s}";

        caller.post("/threads", body.formatted(id, "")).then().statusCode(409).body("detail", containsString(id));
        caller.post("/threads", body.formatted(id, ", \"if_exists\": \"raise\"")).then().statusCode(409);
        caller.post("/threads", body.formatted(id, ", \"if_exists\": \"do_nothing\"")).then().statusCode(200)
                .body("thread_id", equalTo(id)).body("metadata", not(hasKey("b")));
    }

    @Test
    void allViolationsOfARequestAreReported() {
        caller.post("/threads", """
                {"thread_id": "x", "metadata": [], "if_exists": "maybe", "ttl": {"ttl": 0.5}, "supersteps": [{}]}""").then()
                .statusCode(422)
                .body("errors.loc", containsInAnyOrder(List.of("thread_id"), List.of("metadata"), List.of("if_exists"),
                        List.of("ttl"), List.of("supersteps", 0, "updates")));
        caller.post("/threads/search", """
                {"ids": ["x"], "status": "asleep", "limit": 1001, "offset": -1, "sort_by": "age", "select": ["age"],
                 "extract": {"a": "b"}}""").then()
                .statusCode(422)
                .body("errors.loc",
                        containsInAnyOrder(List.of("ids", 0), List.of("status"), List.of("limit"), List.of("offset"),
                                List.of("sort_by"), List.of("select", 0), List.of("extract")));
        caller.patch("/threads/" + create("{}"), "{\"metadata\": 1, \"ttl\": \"long\"}").then()
                .statusCode(422).body("errors.loc", containsInAnyOrder(List.of("metadata"), List.of("ttl")));
    }

    @Test
    void filtersWithTooManyValuesAreRejected() {
        String filter = "{\"a\": [" + "1,".repeat(99) + "1]}";

        caller.post("/threads/count", "{\"metadata\": %s}".formatted(filter)).then().statusCode(422)
                .body("errors.message", contains("must have at most 100 values, in at most 16 levels"));
    }

    @Test
    void metadataAboveItsLimitIsTooLarge() {
        String id = create("{}");
        String metadata = "{\"metadata\": {\"a\": \"" + "x".repeat(65_536) + "\"}}";

        caller.post("/threads", metadata).then().statusCode(413).body("detail", containsString("at most 65536"));
        caller.patch("/threads/" + id, metadata).then().statusCode(413);
    }

    @Test
    void updateMergesMetadata() {
        String id = create("{\"a\": 1, \"b\": {\"c\": 1}}");

        caller.patch("/threads/" + id, "{\"metadata\": {\"b\": {\"d\": 2}, \"e\": null}, \"ttl\": 60}").then().statusCode(200)
                .body("metadata", equalTo(withNull(Map.of("a", 1, "b", Map.of("d", 2)), "e")));
        RestAssured.given().header("X-Api-Key", caller.key()).header("Prefer", "return=minimal").contentType("application/json")
                .body("{\"metadata\": {\"a\": 2}}").patch("/threads/" + id).then().statusCode(204);
        caller.get("/threads/" + id).then().body("metadata.a", equalTo(2));
    }

    private static Map<String, Object> withNull(Map<String, Object> members, String name) {
        Map<String, Object> all = new java.util.HashMap<>(members);
        all.put(name, null);
        return all;
    }

    @Test
    void searchFiltersOrdersAndPages() {
        String first = create("{\"test\": \"%s\", \"n\": 1}".formatted(test));
        String second = create("{\"test\": \"%s\", \"n\": 2}".formatted(test));
        String filter = "\"metadata\": {\"test\": \"%s\"}".formatted(test);

        caller.post("/threads/search", "{%s}".formatted(filter)).then().statusCode(200)
                .header("X-Pagination-Total", "2").header("X-Pagination-Next", nullValue())
                .body("thread_id", contains(second, first));
        caller.post("/threads/search", "{%s, \"limit\": 1, \"sort_order\": \"asc\"}".formatted(filter)).then()
                .header("X-Pagination-Total", "2").header("X-Pagination-Next", "1")
                .body("thread_id", contains(first));
        caller.post("/threads/search", "{%s, \"ids\": [\"%s\"], \"select\": [\"thread_id\", \"metadata\"]}"
                .formatted(filter, first)).then()
                .body("[0]", equalTo(Map.of("thread_id", first, "metadata", Map.of("test", test, "n", 1))));
        caller.post("/threads/count", "{%s, \"status\": \"idle\"}".formatted(filter)).then().body(equalTo("2"));
        caller.post("/threads/count", "{%s, \"status\": \"busy\"}".formatted(filter)).then().body(equalTo("0"));
    }

    @Test
    void deletedThreadIsMissing() {
        String id = create("{}");

        caller.delete("/threads/" + id).then().statusCode(204).body(equalTo(""));
        caller.delete("/threads/" + id).then().statusCode(404);
        caller.get("/threads/" + id).then().statusCode(404).body("detail", equalTo("The thread " + id + " does not exist."));
        caller.patch("/threads/" + id, "{}").then().statusCode(404);
        caller.post("/threads/" + id + "/copy", "").then().statusCode(404);
    }

    @Test
    void keysOfTheConfigurationShareThreads() {
        String id = create("{}");

        new Caller(RuntimeSettings.OTHER_KEY).get("/threads/" + id).then().statusCode(200);
        RestAssured.get("/threads/" + id).then().statusCode(401);
    }

    @Test
    void threadHasStatusAndStateOfItsRuns() {
        String id = create("{\"test\": \"%s\"}".formatted(test));
        RunFence run = begin(id);
        caller.get("/threads/" + id).then().body("status", equalTo("busy"));

        Map<String, ChannelValue> values = Map.of("with \"quotes\"", new ChannelValue("1", "[1.10]"));
        await(run, new RunEnd(Status.SUCCESS, null, ThreadStatus.INTERRUPTED, new State(values, Set.of("with \"quotes\""),
                "{\"task\": [{\"id\": \"i\", \"value\": true}]}", null), false));

        caller.get("/threads/" + id).then()
                .body("status", equalTo("interrupted"))
                .body("values", equalTo(Map.of("with \"quotes\"", List.of(1.1f))))
                .body("interrupts.task[0].value", equalTo(true));
        caller.post("/threads/count", "{\"metadata\": {\"test\": \"%s\"}, \"values\": {\"with \\\"quotes\\\"\": [1.1]}}"
                .formatted(test)).then().body(equalTo("1"));
        String copy = caller.post("/threads/" + id + "/copy", "").then().statusCode(200)
                .body("values", equalTo(Map.of("with \"quotes\"", List.of(1.1f))))
                .body("status", equalTo("interrupted"))
                .body("thread_id", not(equalTo(id))).extract().path("thread_id");
        caller.get("/threads/" + copy).then().statusCode(200);
    }

    @Test
    void failedThreadHasItsError() {
        String id = create("{}");
        RunFence run = begin(id);

        await(run, new RunEnd(Status.ERROR, "{\"error\": \"E\", \"message\": \"m\"}", ThreadStatus.ERROR,
                new State(Map.of("", new ChannelValue("1", "3")), Set.of(""), "{}", null), false));

        caller.get("/threads/" + id).then().body("status", equalTo("error")).body("error.error", equalTo("E"))
                .body("values", equalTo(3));
    }

    @Test
    void storageIsReportedAsFeatures() {
        RestAssured.get("/info").then().body("flags.threads", equalTo(true)).body("flags.store", equalTo(true));
    }

    private String create(String metadata) {
        return caller.post("/threads", "{\"metadata\": %s}".formatted(metadata)).then().statusCode(200)
                .extract().path("thread_id");
    }

    /** Begins a run of another replica, whose lease keeps this one from taking it over. */
    private RunFence begin(String thread) {
        UUID replica = UUID.randomUUID();
        storage().runs().renew(new Replica(replica, Duration.ofMinutes(10), List.of(), List.of())).await().indefinitely();
        NewRun run = new NewRun(ThreadOwner.of("key:any"), UUID.fromString(thread), UUID.randomUUID(), Kind.RUN, replica,
                UUID.randomUUID(), MultitaskStrategy.REJECT, "{}", new byte[0], null, null);
        return ((Begun.Running) storage().runs().begin(run).await().indefinitely()).fence();
    }

    private void await(RunFence run, RunEnd end) {
        storage().runs().end(run, end).await().indefinitely();
    }

    private Storage storage() {
        return storage.find().orElseThrow();
    }
}
