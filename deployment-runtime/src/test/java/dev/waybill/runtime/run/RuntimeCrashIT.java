package dev.waybill.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.common.testing.NodeProject;
import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.EventReader;
import dev.waybill.runtime.RuntimeProcess;
import dev.waybill.runtime.RuntimeSettings;
import dev.waybill.runtime.ThreadCaller;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.response.Response;

/** Runs on threads of a packaged runtime that is killed and started again on the same file. */
@Tag("full")
class RuntimeCrashIT {

    @TempDir
    Path directory;

    private Path application;
    private RuntimeProcess runtime;
    private int starts;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        NodeProject node = RuntimeSettings.node();
        node.install();
        // Below the packages.
        application = Files.createDirectories(node.work().resolve("crash"));
        Files.copy(node.sources().resolve("threads").resolve("served.mjs"), application.resolve("threads.mjs"),
                StandardCopyOption.REPLACE_EXISTING);
        Files.writeString(application.resolve("langgraph.json"), "{\"graphs\": {\"threads\": \"./threads.mjs:graph\"}}");
        restart();
    }

    private void restart() throws IOException {
        starts++;
        runtime = RuntimeProcess.start(application, directory.resolve("threads"), directory.resolve(starts + ".log"));
        RestAssured.port = runtime.awaitReady().getPort();
    }

    @AfterEach
    void stop() {
        runtime.close();
    }

    @Test
    void attachedRunFailsAndItsThreadIsAtACheckpoint() throws Exception {
        // Given
        ThreadCaller thread = ThreadCaller.create();
        thread.await(Bodies.threads("one")).then().statusCode(200);
        thread.await(Bodies.threads("two")).then().statusCode(200);
        String run;
        try (EventReader stream = EventReader.streamOnThread(thread.id(), Bodies.threads("wait 60000"))) {
            run = stream.run();
            awaitLog(stream, 3);

            // When
            runtime.kill();
        }
        restart();

        // Then
        thread.awaitStatus(run, "error");
        assertThat(thread.status()).isEqualTo("error");
        assertThat(contents(thread)).startsWith("one", "1: one", "two", "3: two");
        assertThat(states(thread)).contains(values(thread));
        thread.await(Bodies.threads("three")).then().statusCode(200);
        assertThat(contents(thread)).startsWith("one", "1: one", "two", "3: two").contains("three")
                .last().asString().matches("[56]: three");
        assertThat(states(thread)).first().isEqualTo(values(thread));
    }

    @Test
    void backgroundRunContinuesAtItsLastCheckpoint() throws Exception {
        // Given
        ThreadCaller thread = ThreadCaller.create();
        thread.await(Bodies.threads("one")).then().statusCode(200);
        String run = thread.start(Bodies.threads("wait 3000", "\"stream_resumable\": true"));
        String next = thread.start(Bodies.threads("next"));
        try (EventReader stream = EventReader.joinOnThread(thread.id(), run, "-1")) {
            awaitLog(stream, 2);

            // When
            runtime.kill();
        }
        restart();

        // Then
        thread.awaitStatus(run, "success");
        thread.awaitStatus(next, "success");
        assertThat(contents(thread)).containsExactly("one", "1: one", "wait 3000", "waited", "next", "5: next");
        List<String> log = thread.read().path("values.log");
        assertThat(log).as("finished steps are not repeated").containsExactly("one", "wait 3000", "next");
        assertThat(thread.status()).isEqualTo("idle");
        assertThat(states(thread)).first().isEqualTo(values(thread));
    }

    @Test
    void repeatedRequestsAreOneRunAfterTheRestart() throws Exception {
        // Given
        ThreadCaller thread = ThreadCaller.create();
        String key = UUID.randomUUID().toString();
        String background = post(thread, "", "one", key).path("run_id");
        thread.awaitStatus(background, "success");
        String waited = Bodies.threads("wait 3000");
        try (EventReader stream = EventReader.streamOnThread(thread.id(), waited, key)) {
            awaitLog(stream, 2);

            // When
            runtime.kill();
        }
        restart();

        // Then
        assertThat(post(thread, "", "one", key).<String> path("run_id")).isEqualTo(background);
        try (EventReader again = EventReader.streamOnThread(thread.id(), waited, key)) {
            assertThat(again.rest()).extracting(EventReader.Event::name).startsWith("metadata").endsWith("values", "end");
        }
        assertThat(contents(thread)).containsExactly("one", "1: one", "wait 3000", "waited");
        assertThat(thread.get("").<List<Object>> path("")).hasSize(2);
    }

    private static Response post(ThreadCaller thread, String operation, String message, String key) {
        return RestAssured.given().header("X-Api-Key", RuntimeSettings.KEY).header("Idempotency-Key", key)
                .contentType(ContentType.JSON)
                .body(Bodies.threads(message)).post("/threads/" + thread.id() + "/runs" + operation);
    }

    @Test
    void interruptIsAnsweredAfterTheRestart() throws Exception {
        ThreadCaller thread = ThreadCaller.create();
        thread.await(Bodies.threads("ask")).then().statusCode(200);

        runtime.kill();
        restart();

        assertThat(thread.status()).isEqualTo("interrupted");
        thread.await(Bodies.resume("yes")).then().statusCode(200);
        assertThat(contents(thread)).containsExactly("ask", "answered yes");
        assertThat(thread.status()).isEqualTo("idle");
    }

    /** Waits until the stream has values with a number of steps. */
    private static void awaitLog(EventReader stream, int steps) {
        while (stream.next().orElseThrow().data().path("log").size() < steps) {
            // Earlier values.
        }
    }

    private static List<String> contents(ThreadCaller thread) {
        return thread.read().path("values.messages.content");
    }

    private static Map<String, Object> values(ThreadCaller thread) {
        return thread.read().path("values");
    }

    /** Returns the values of all checkpoints, newest first; fails if one is incomplete. */
    private static List<Map<String, Object>> states(ThreadCaller thread) {
        return Caller.authorized().get("/threads/" + thread.id() + "/history?limit=100").then()
                .statusCode(200).extract().path("values");
    }
}
