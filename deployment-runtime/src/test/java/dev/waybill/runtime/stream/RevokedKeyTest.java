package dev.waybill.runtime.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.ControlPlaneStub;
import dev.waybill.runtime.EventReader;
import dev.waybill.runtime.EventReader.Event;
import dev.waybill.runtime.RuntimeTest;
import io.restassured.response.Response;

/** Open responses are closed when their key is revoked. */
@RuntimeTest
class RevokedKeyTest {

    private static final String CUSTOM = "\"stream_mode\": \"custom\"";

    private final String key = "issued-" + UUID.randomUUID();
    /** Caller of the same workspace with another key. */
    private final Caller colleague = new Caller("issued-" + UUID.randomUUID());

    @Test
    void openStreamEndsWithErrorAndRunIsCancelled() {
        try (EventReader stream = EventReader.stream(Bodies.misbehaving("stay", CUSTOM), key)) {
            assertThat(stream.next()).isPresent();
            ControlPlaneStub.revoke(key);

            List<Event> rest = stream.rest();

            assertThat(rest).extracting(Event::name).containsExactly("error");
            assertThat(rest.getFirst().data().at("/error").textValue()).isEqualTo("AccessRefused");
            assertThat(rest.getFirst().data().at("/message").textValue()).contains("revoked");
            colleague.awaitStatus(stream.run(), "interrupted");
            new Caller(key).get("/runs/" + stream.run()).then().statusCode(401);
        }
    }

    @Test
    @Tag("full")
    void continuingRunIsResumedWithAnotherKey() {
        // Given
        try (EventReader stream = EventReader.stream(
                Bodies.misbehaving("stay", CUSTOM, "\"on_disconnect\": \"continue\"", "\"stream_resumable\": true"), key)) {
            Event metadata = stream.next().orElseThrow();

            // When
            ControlPlaneStub.revoke(key);
            Event refusal = stream.rest().getLast();

            // Then
            assertThat(refusal.id()).isEqualTo(metadata.id());
            assertThat(colleague.status(stream.run())).isEqualTo("running");
            try (EventReader goesOn = EventReader.join(stream.run(), refusal.id(), colleague.key())) {
                colleague.await(Bodies.misbehaving("end")).then().statusCode(200);
                assertThat(goesOn.rest()).extracting(Event::name).containsExactly("custom", "end");
            }
        }
    }

    @Test
    @Tag("full")
    void waitingRequestEndsWithError() {
        CompletableFuture<Response> waiting = CompletableFuture
                .supplyAsync(() -> new Caller(key).await(Bodies.misbehaving("stay")));
        ControlPlaneStub.revoke(key);
        Patience.await().until(waiting::isDone);
        // Reported in the response, or as 401 if the request arrived after the revocation.
        assertThat(waiting.join().asString()).contains("API key");
    }

    @Test
    @Tag("full")
    void otherStreamsOfWorkspaceContinue() {
        try (EventReader unaffected = EventReader.stream(Bodies.misbehaving("stay", CUSTOM), colleague.key());
                EventReader revoked = EventReader.stream(Bodies.misbehaving("stay", CUSTOM), key)) {
            ControlPlaneStub.revoke(key);
            assertThat(revoked.rest()).extracting(Event::name).endsWith("error");
            colleague.awaitStatus(revoked.run(), "interrupted");
            colleague.await(Bodies.misbehaving("end")).then().statusCode(200);
            assertThat(unaffected.rest()).extracting(Event::name).endsWith("end");
        }
    }

    @Test
    void returns404ForOthersRunOnEveryPath() {
        try (EventReader stream = EventReader.stream(Bodies.misbehaving("stay", CUSTOM, "\"stream_resumable\": true"), key)) {
            Caller stranger = Caller.authorized();
            String path = "/runs/" + stream.run();
            for (String address : List.of(path, "/threads/" + stream.run() + path)) {
                stranger.get(address).then().statusCode(404).body("detail", containsString("does not exist"));
                stranger.post(address + "/cancel", "").then().statusCode(404);
                stranger.get(address + "/stream").then().statusCode(404);
            }
            try (EventReader replay = EventReader.join(stream.run(), stream.run() + ":0")) {
                assertThat(replay.status()).isEqualTo(404);
            }
            colleague.get(path).then().statusCode(200).body("status", equalTo("running"));
        }
    }
}
