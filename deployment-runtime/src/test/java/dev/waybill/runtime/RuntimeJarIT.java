package dev.waybill.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.notNullValue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.sun.net.httpserver.HttpServer;

import dev.waybill.common.testing.Patience;
import dev.waybill.common.testing.packaging.ServiceArtifact;
import dev.waybill.runtime.EventReader.Event;
import io.restassured.RestAssured;

/** The packaged runtime with a directory that contains a langgraph.json. */
class RuntimeJarIT {

    private static final Path MODULE = Path.of(System.getProperty("waybill.root"), "deployment-runtime");
    private static final int RUNS = 100;
    private static final Pattern LISTENS = Pattern.compile("Listening on: http://\\S*:(\\d+)");

    private final Caller caller = Caller.authorized();
    private Process runtime;

    private void start(String... options) throws IOException {
        Path log = launch(options);
        RestAssured.port = Patience.await().ignoreExceptions().until(() -> portIn(log), Optional::isPresent).orElseThrow();
        Patience.await().ignoreExceptions().until(() -> RestAssured.get("/q/health/ready").statusCode() == 200);
    }

    private Path launch(String... options) throws IOException {
        Path log = MODULE.resolve("target/runtime-jar.log");
        Files.deleteIfExists(log);
        List<String> words = new ArrayList<>(List.of("-Xmx256m", "-Dquarkus.http.port=0", "-Dquarkus.management.port=0"));
        words.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(ServiceArtifact.of("deployment-runtime").command(words))
                .directory(MODULE.resolve("samples/java").toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("WAYBILL_") || name.startsWith("QUARKUS_"));
        runtime = builder.start();
        return log;
    }

    @AfterEach
    void stop() {
        runtime.descendants().forEach(ProcessHandle::destroyForcibly);
        runtime.destroyForcibly();
    }

    @Test
    void exitsWith78WhenAWorkerCannotStart(@TempDir Path folder) throws Exception {
        // Given
        Path failure = folder.resolve("failure");
        Files.writeString(folder.resolve("langgraph.json"), "{\"graphs\": {\"agent\": \"./agent.mjs:graph\"}}");
        Files.writeString(folder.resolve("agent.mjs"), "console.log('loaded'); export const other = 1;");

        // When
        launch("-Dwaybill.runtime.directory=" + folder, "-Dwaybill.runtime.worker.failure-file=" + failure);

        // Then
        assertThat(runtime.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(runtime.exitValue()).isEqualTo(78);
        assertThat(Files.readAllLines(failure)).contains("loaded").last().asString()
                .contains("\"cause\":\"Graph \\\"agent\\\" is missing: ./agent.mjs exports other, but not \\\"graph\\\".\"");
    }

    @Test
    void http2HeadersAreBoundedWhenEnabled() throws Exception {
        start("-Dquarkus.http.http2=true");
        URI address = URI.create("http://127.0.0.1:" + RestAssured.port + "/ok");
        try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build()) {
            // When / Then: an upgrade request
            HttpResponse<String> served = client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
            assertThat(served.statusCode()).isEqualTo(200);
            assertThat(served.version()).isEqualTo(HttpClient.Version.HTTP_2);

            // When / Then: endless header frames
            assertThat(acceptedContinuations(11_000)).isLessThan(11_000);
            assertThat(client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        }
    }

    /** Returns the number of empty CONTINUATION frames, in thousands, that were sent before the connection was closed. */
    private static int acceptedContinuations(int max) throws IOException {
        byte[] opening = ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\0\0\0\4\0\0\0\0\0"
        // HEADERS of GET / without END_HEADERS.
                + "\0\0\3\1\0\0\0\0\1\u0082\u0086\u0084").getBytes(StandardCharsets.ISO_8859_1);
        byte[] thousand = "\0\0\0\t\0\0\0\0\1".repeat(1_000).getBytes(StandardCharsets.ISO_8859_1);
        try (Socket socket = new Socket("127.0.0.1", RestAssured.port)) {
            socket.getOutputStream().write(opening);
            for (int sent = 0; sent < max; sent++) {
                try {
                    socket.getOutputStream().write(thousand);
                } catch (SocketException e) {
                    return sent;
                }
            }
            return max;
        }
    }

    @Tag("full")
    @Test
    void activeRunsFinishAtShutdown() throws Exception {
        start();
        // Given: many runs, and one that lasts until it is cancelled
        List<EventReader> streams = new ArrayList<>();
        EventReader keeper = EventReader.stream(Bodies.agent("tokens:1 delay:900000"));
        for (int i = 0; i < RUNS; i++) {
            streams.add(EventReader.stream(Bodies.agent("tokens:20 delay:50", "\"stream_mode\": \"messages-tuple\"")));
        }
        List<ProcessHandle> workers = runtime.descendants().toList();
        assertThat(workers).isNotEmpty();

        // When: kill -TERM
        runtime.destroy();

        // Then
        Patience.await().until(() -> caller.post("/runs", Bodies.agent("too late")).statusCode() == 503);
        caller.post("/runs/stream", Bodies.agent("too late")).then()
                .statusCode(503)
                .header("Retry-After", notNullValue())
                .body("detail", containsString("shutting down"));
        assertThat(streams).allSatisfy(stream -> {
            List<Event> events = stream.rest();
            assertThat(events).hasSize(22);
            assertThat(events.getLast().name()).isEqualTo("end");
        });
        caller.cancel(keeper.run()).then().statusCode(202);
        assertThat(keeper.rest()).extracting(Event::name).endsWith("error");
        assertThat(runtime.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(workers).noneMatch(ProcessHandle::isAlive);
        streams.forEach(EventReader::close);
        keeper.close();
    }

    @Tag("full")
    @Test
    void overdueRunsEndWithErrorAndWebhookAtShutdown() throws Exception {
        // Given
        List<String> webhooks = new CopyOnWriteArrayList<>();
        HttpServer hook = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        hook.createContext("/", exchange -> {
            webhooks.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        hook.start();
        start("-Dwaybill.runtime.runs.drain-timeout=1s", "-Dwaybill.net.allow-http=true",
                "-Dwaybill.net.allowed-ranges=127.0.0.0/8");
        try (EventReader stream = EventReader.stream(Bodies.agent("tokens:1 delay:900000"));
                EventReader hooked = EventReader.stream(Bodies.agent("tokens:1 delay:900000",
                        "\"webhook\": \"http://127.0.0.1:" + hook.getAddress().getPort() + "/\""))) {
            // When
            runtime.destroy();

            // Then
            for (EventReader open : List.of(stream, hooked)) {
                Event last = open.rest().getLast();
                assertThat(last.name()).isEqualTo("error");
                assertThat(last.data().at("/error").textValue()).isEqualTo("RuntimeStopped");
            }
            assertThat(runtime.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(webhooks).singleElement().asString().contains("\"interrupted\"");
        } finally {
            hook.stop(0);
        }
    }

    @Tag("full")
    @Test
    void incompleteHeadTimesOutWhileOpenStreamContinues() throws Exception {
        start("-Dwaybill.requests.header-timeout=3s");
        try (EventReader stream = EventReader.stream(Bodies.agent("tokens:1 delay:900000"));
                Socket slow = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port)) {
            // When
            slow.setSoTimeout(120_000);
            slow.getOutputStream().write("POST /runs/stream HTTP/1.1\r\nHost: here".getBytes(StandardCharsets.US_ASCII));

            // Then
            assertThat(slow.getInputStream().read()).as("closed without a response").isEqualTo(-1);
            caller.cancel(stream.run()).then().statusCode(202);
            assertThat(stream.rest()).extracting(Event::name).endsWith("error");
        }
    }

    /** Returns the port that the system assigned; a port chosen in advance could be in use by then. */
    private static Optional<Integer> portIn(Path log) throws IOException {
        return LISTENS.matcher(Files.readString(log)).results().findFirst().map(found -> Integer.valueOf(found.group(1)));
    }
}
