package dev.waybill.runtime.storage.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.RuntimeProcess;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.response.Response;

/** JSON states of a packaged runtime that is killed at random moments, with both storages. */
@Tag("full")
class JsonStateCrashIT {

    private static final Path WORKER = Path.of(System.getProperty("waybill.root"),
            "deployment-runtime/src/test/node/threads/tickets.mjs");
    private static final int KILLS = 6;
    private static final int MAX_MILLIS = 1_500;

    private final String thread = UUID.randomUUID().toString();
    private final Map<String, String> settings = new HashMap<>();

    @TempDir
    private Path directory;

    private RuntimeProcess runtime;
    private int starts;

    @AfterEach
    void stop() {
        runtime.close();
    }

    @ParameterizedTest
    @ValueSource(strings = { "file", "postgresql" })
    void killedRuntimeLeavesTheStateBeforeOrAfterARun(String storage) throws Exception {
        // Given
        settings.put("waybill.runtime.threads.storage", storage);
        settings.putAll(storage.equals("file") ? Map.of("waybill.runtime.threads.directory", directory.toString())
                : new RuntimeDatabase().settings());
        Files.writeString(directory.resolve("langgraph.json"),
                "{\"graphs\": {\"tickets\": {\"command\": [\"node\", \"" + WORKER + "\"]}}}");
        start();
        post("/threads", "{\"thread_id\": \"%s\"}".formatted(thread)).then().statusCode(200);
        Random random = new Random(1);
        AtomicInteger acknowledged = new AtomicInteger();

        for (int kill = 0; kill < KILLS; kill++) {
            // When
            Thread client = Thread.ofVirtual().start(() -> count(acknowledged));
            TimeUnit.MILLISECONDS.sleep(random.nextInt(MAX_MILLIS));
            runtime.kill();
            client.join();
            runtime.close();
            start();

            // Then
            Patience.await().until(() -> !get("").path("status").equals("busy"));
            int step = get("/state").then().statusCode(200).extract().path("values.step") == null ? 0
                    : get("/state").path("values.step");
            assertThat(step).isBetween(acknowledged.get(), acknowledged.get() + 1);
            List<Integer> steps = get("/history?limit=1000").path("values.step");
            assertThat(steps).as("one state for each run").hasSize(step).isSortedAccordingTo((a, b) -> b - a);
            assertThat(step == 0 ? null : get("").<Integer> path("values.step")).isEqualTo(step == 0 ? null : step);
            acknowledged.set(step);
        }
        assertThat(acknowledged.get()).isPositive();
    }

    /** Sends runs until the runtime is gone. */
    private void count(AtomicInteger acknowledged) {
        try {
            while (true) {
                Response response = post("/threads/" + thread + "/runs/wait", Bodies.tickets("count"));
                if (response.statusCode() != 200 || response.path("step") == null) {
                    return;
                }
                acknowledged.set(response.path("step"));
            }
        } catch (Exception e) {
            // The runtime was killed.
        }
    }

    private void start() throws IOException {
        starts++;
        runtime = RuntimeProcess.start(directory, settings, directory.resolve(starts + ".log"));
        RestAssured.port = runtime.awaitReady().getPort();
    }

    private static Response post(String path, String body) {
        return RestAssured.given().contentType(ContentType.JSON).body(body).post(path);
    }

    private Response get(String path) {
        return RestAssured.get("/threads/" + thread + path);
    }
}
