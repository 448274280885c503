package dev.waybill.runtime.stream;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.EventReader;
import dev.waybill.runtime.EventReader.Event;
import dev.waybill.runtime.RuntimeSettings;
import dev.waybill.runtime.RuntimeTest;
import io.restassured.http.ContentType;
import io.restassured.response.Response;

/** Repeated requests with the same {@code Idempotency-Key} start one run. */
@RuntimeTest
class IdempotentRunsTest {

    private final Caller caller = Caller.authorized();
    private final String key = UUID.randomUUID().toString();

    @Test
    void repeatedRequestReturnsFirstResponse() {
        Response first = post("/runs", Bodies.agent("hello", "\"metadata\": {\"a\": 1, \"b\": 2}"));
        caller.awaitStatus(first.path("run_id"), "success");

        Response again = post("/runs", Bodies.agent("hello", "\"metadata\": {\"b\": 2, \"a\": 1}"));

        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(again.asString()).isEqualTo(first.asString());
        assertThat(again.header("Content-Location")).isEqualTo(first.header("Content-Location"));
    }

    @Test
    void anotherBodyOrInvalidKeyReturns422() {
        post("/runs", Bodies.agent("hello")).then().statusCode(200);
        post("/runs", Bodies.agent("goodbye")).then().statusCode(422).body("errors[0].loc[0]", equalTo("Idempotency-Key"));
        post(RuntimeSettings.KEY, "two words", "/runs", Bodies.agent("hello")).then().statusCode(422);
    }

    @Test
    void keysAreScopedToPrincipal() {
        Response first = post("/runs", Bodies.agent("hello"));
        Response second = post(RuntimeSettings.OTHER_KEY, key, "/runs", Bodies.agent("goodbye"));
        second.then().statusCode(200);
        assertThat((String) second.path("run_id")).isNotEqualTo(first.path("run_id"));
    }

    @Test
    void rejectedRequestCanBeRepeated() {
        post("/runs", "{\"assistant_id\": \"nobody\", \"input\": null}").then().statusCode(404);
        post("/runs", Bodies.agent("hello")).then().statusCode(200);
    }

    @Test
    void repeatedWaitReturnsSameValuesOr409WhileInProgress() {
        // Given: two concurrent requests
        List<CompletableFuture<Response>> both = Stream.generate(() -> CompletableFuture
                .supplyAsync(() -> post("/runs/wait", Bodies.misbehaving("stay")), Thread::startVirtualThread)).limit(2)
                .toList();
        Patience.await().until(() -> both.stream().anyMatch(CompletableFuture::isDone));
        assertThat(both).filteredOn(CompletableFuture::isDone).singleElement()
                .extracting(response -> response.join().statusCode()).isEqualTo(409);

        // When: retried, because the first run may not have reached its worker yet
        Patience.await().until(() -> {
            caller.await(Bodies.misbehaving("end")).then().statusCode(200);
            return both.stream().allMatch(CompletableFuture::isDone);
        });

        // Then
        assertThat(both).extracting(response -> response.join().statusCode()).containsExactlyInAnyOrder(200, 409);
        assertThat(post("/runs/wait", Bodies.misbehaving("stay")).asString().strip()).isEqualTo("\"stayed\"");
    }

    @Test
    void repeatedStreamIsReplayedOr409WhileInProgress() {
        // Given
        String body = Bodies.misbehaving("stay", "\"stream_mode\": \"custom\"");
        String run;
        List<Event> all;
        try (EventReader first = EventReader.stream(body, RuntimeSettings.KEY, key)) {
            run = first.run();
            post("/runs/stream", body).then().statusCode(409).header("Retry-After", equalTo("1"));
            caller.await(Bodies.misbehaving("end")).then().statusCode(200);
            all = first.rest();
        }

        // When
        try (EventReader again = EventReader.stream(body, RuntimeSettings.KEY, key)) {

            // Then
            assertThat(again.run()).isEqualTo(run);
            assertThat(again.rest()).isEqualTo(all).extracting(Event::name).containsExactly("metadata", "custom", "end");
        }
    }

    private Response post(String path, String body) {
        return post(RuntimeSettings.KEY, key, path, body);
    }

    private static Response post(String apiKey, String idempotencyKey, String path, String body) {
        return given().header("X-Api-Key", apiKey).header("Idempotency-Key", idempotencyKey).contentType(ContentType.JSON)
                .body(body).post(path);
    }
}
