package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.waybill.local.storage.FreePort;

/** Proxy processes of two releases, which run from copies of packaged programs (docs/decisions/0148). */
@Tag("full")
class ReverseProxyUpgradeTest {

    private static final long BUILT = 1_700_000_000_000L;
    private static final long DAY_MILLIS = 86_400_000;

    @TempDir
    private Path directory;
    private final int port = FreePort.find();
    private final CountDownLatch released = new CountDownLatch(1);
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private LocalEngineFixture.Settings settings;
    private Path folder;
    private HttpServer first;
    private HttpServer second;
    private final List<ReverseProxyProcess> controlPlanes = new ArrayList<>();
    private Path oldCopy;

    @BeforeEach
    void startOldProxy() throws Exception {
        settings = new LocalEngineFixture.Settings(Optional.empty(), directory.resolve("applications"));
        folder = settings.directory().resolve("gate");
        first = application("first");
        second = application("second");
        controlPlane("old", BUILT).route(port, first.getAddress().getPort());
        oldCopy = folder.resolve("program-" + BUILT);
    }

    @AfterEach
    void stop() {
        controlPlanes.forEach(each -> each.onExit(() -> {
        }));
        ProcessFinder.kill(settings.directory());
        released.countDown();
        first.stop(0);
        second.stop(0);
        client.close();
    }

    @Test
    void runningProxyServesThroughAnUpgrade() throws Exception {
        // Given: a stream in progress, and clients that send requests continuously
        List<ProcessHandle> proxies = proxies();
        try (BufferedReader stream = stream(); RequestProbe probe = RequestProbe.start(client, port)) {
            assertThat(stream.readLine()).isEqualTo("first event");

            // When: the files of the program are replaced, and the next control plane routes to another application
            EnginePaths.remove(directory.resolve("old"));
            ReverseProxyProcess next = controlPlane("new", BUILT + DAY_MILLIS);
            next.startInBackground();
            next.route(port, second.getAddress().getPort());
            probe.awaitMore();

            // Then
            assertThat(version()).isEqualTo("second");
            released.countDown();
            assertThat(stream.readLine()).isEqualTo("last event");
            assertThat(stream.readLine()).isNull();
            assertThat(probe.end()).isEmpty();
        }
        assertThat(proxies()).hasSize(1).isEqualTo(proxies);
        assertThat(copies()).containsExactly(oldCopy);
    }

    @Test
    void killedProxyIsReplacedByTheNewProgram() throws Exception {
        // Given: the next control plane uses the running proxy
        ReverseProxyProcess next = controlPlane("new", BUILT + DAY_MILLIS);
        int application = second.getAddress().getPort();
        next.route(port, application);
        next.onExit(() -> route(next, application));
        makeOld(oldCopy);

        // When
        ProcessHandle running = proxies().getFirst();
        running.destroyForcibly();
        running.onExit().join();

        // Then
        await().atMost(LocalEngineFixture.TIMEOUT).ignoreExceptions().until(() -> version().equals("second"));
        Path newCopy = folder.resolve("program-" + (BUILT + DAY_MILLIS));
        assertThat(ProcessFinder.program(folder, newCopy.resolve(PackagedProgram.JAR).toString())).isPresent();
        assertThat(copies()).containsExactly(newCopy);
    }

    @Test
    void copyOfARunningProxyIsRetained() throws Exception {
        // Given
        Path unused = Files.createDirectory(folder.resolve("program-1"));
        makeOld(unused);
        makeOld(oldCopy);

        // When: the next control plane copies its program, because the running proxy did not respond in time
        program("new", BUILT + DAY_MILLIS).command();

        // Then
        assertThat(copies()).containsExactlyInAnyOrder(oldCopy, folder.resolve("program-" + (BUILT + DAY_MILLIS)));
        assertThat(version()).isEqualTo("first");
    }

    @Test
    void proxyDoesNotRunFromAnInterruptedCopy() throws Exception {
        // Given: the proxy ended, and a file of its program is missing
        ProcessFinder.kill(folder);
        Files.delete(oldCopy.resolve(PackagedProgram.JAR));

        // When
        ReverseProxyProcess restarted = controlPlane("old", BUILT);
        restarted.route(port, first.getAddress().getPort());

        // Then
        assertThat(version()).isEqualTo("first");
    }

    private ReverseProxyProcess controlPlane(String release, long built) throws IOException {
        ReverseProxyProcess controlPlane = new ReverseProxyProcess(settings.directory(), settings,
                new ProcessLauncher(settings, System.getenv()), program(release, built));
        controlPlanes.add(controlPlane);
        return controlPlane;
    }

    private ReverseProxyProgram program(String release, long built) throws IOException {
        Path jar = PackagedProgram.create(directory.resolve(release), release, built);
        return new ReverseProxyProgram(folder, new ProcessLauncher(settings, System.getenv()), jar.toString(),
                ClassLoader.getSystemClassLoader());
    }

    private void route(ReverseProxyProcess proxy, int application) {
        try {
            proxy.route(port, application);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<ProcessHandle> proxies() {
        return ProcessFinder.of(folder);
    }

    private List<Path> copies() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("program")).toList();
        }
    }

    private static void makeOld(Path copy) throws IOException {
        Files.setLastModifiedTime(copy, FileTime.fromMillis(Files.getLastModifiedTime(copy).toMillis() - DAY_MILLIS));
    }

    private String version() throws IOException, InterruptedException {
        return client.send(request("/version"), BodyHandlers.ofString()).body();
    }

    private BufferedReader stream() throws IOException, InterruptedException {
        InputStream body = client.send(request("/stream"), BodyHandlers.ofInputStream()).body();
        return new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).timeout(LocalEngineFixture.TIMEOUT)
                .build();
    }

    private HttpServer application(String version) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/version", exchange -> {
            try (exchange; OutputStream out = begin(exchange)) {
                out.write(version.getBytes(StandardCharsets.UTF_8));
            }
        });
        server.createContext("/stream", exchange -> {
            try (exchange; OutputStream out = begin(exchange)) {
                out.write("first event\n".getBytes(StandardCharsets.UTF_8));
                out.flush();
                released.await();
                out.write("last event\n".getBytes(StandardCharsets.UTF_8));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
        return server;
    }

    private static OutputStream begin(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(200, 0);
        return exchange.getResponseBody();
    }
}
