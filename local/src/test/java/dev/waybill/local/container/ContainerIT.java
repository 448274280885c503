package dev.waybill.local.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.waybill.local.storage.FreePort;

/**
 * Each service's image: laid out as its Dockerfile says, one of them trained, and started as its user with the configuration
 * that the manifests give it, on an empty database. Where we are not root it runs as ourselves, in folders that nobody may
 * write to.
 */
class ContainerIT {

    private static final Path ROOT = Path.of(System.getProperty("waybill.root"));
    private static final String NATIVE = ".native";
    // All are trained alike, and it is the greatest part of what this test costs.
    private static final String TRAINED = "export-service";
    /** What serves applications, and the language of the sample that it is started with. */
    private static final Map<String, String> RUNTIMES = Map.of("deployment-runtime", "java", "runtime-node", "node",
            "runtime-python", "python");

    private static Path folder;
    private static ContainerEnvironment ground;

    @BeforeAll
    static void database() throws IOException {
        // Not below target: other users cannot look into everybody's home.
        folder = Files.createTempDirectory("waybill-containers-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        ground = ContainerEnvironment.open(ROOT, folder, Path.of("target", "containers").toAbsolutePath());
        if (!ImageProcess.canSwitchUser()) {
            System.out.println("ContainerIT: not root, so the services run as this user and not as their image's");
        }
    }

    @AfterAll
    static void end() throws IOException {
        ground.close();
        remove(folder);
    }

    @ParameterizedTest
    @MethodSource("images")
    void startsAsItsUserAndWritesOnlyToItsVolume(String image) throws Exception {
        Dockerfile dockerfile = ground.dockerfile(image);
        String user = dockerfile.image().last("USER").orElseThrow().text();
        ImageLayout layout = ImageLayout.of(ROOT, folder.resolve(image), dockerfile, image.equals(TRAINED));
        Path volume = ground.volume(image);
        assertThat(layout.path("/waybill/bom.json")).content().contains("CycloneDX");
        close(layout.root());
        int port = FreePort.find();
        Path log = folder.resolve(image + ".log");
        List<String> command = new ArrayList<>(dockerfile.command());
        if (image.endsWith(NATIVE)) {
            command.add("-Djava.io.tmpdir=" + volume);
        }

        try (ImageProcess started = ImageProcess.start(user, command, layout.directory(), environment(image, volume, port),
                log)) {
            await().atMost(Duration.ofMinutes(3)).pollInterval(Duration.ofMillis(200)).failFast("it ended: " + log,
                    () -> !started.isAlive()).until(() -> status(port, "/q/health/ready") == 200);

            assertThat(List.of(status(port, "/q/health/started"), status(port, "/q/health/live"))).containsOnly(200);
            ImageProcess.run(List.of(layout.path("/usr/local/bin/healthy").toString(), Integer.toString(port)), folder,
                    Map.of());
            if (RUNTIMES.containsKey(service(image))) {
                assertThat(run(port)).contains("token-2");
            }
            // 128 + SIGTERM: it ended by itself, in order.
            assertThat(started.stop()).isEqualTo(143);
        }
        assertThat(Files.readString(log)).doesNotContainIgnoringCase("read-only file system", "permission denied");
        remove(layout.root());
    }

    /** Those on the JVM always, native ones where their binary was built. */
    static Stream<String> images() {
        List<String> images = new ArrayList<>(ContainerEnvironment.SERVICES);
        images.addAll(List.of("runtime-node", "runtime-python"));
        return Stream.concat(images.stream(), images.stream()
                .map(image -> image + NATIVE)
                .filter(image -> ground.isBuilt(ground.dockerfile(image))));
    }

    private static String service(String image) {
        return image.replace(NATIVE, "");
    }

    private static Map<String, String> environment(String image, Path volume, int port) {
        Map<String, String> environment = ground.variables(service(image), volume, port);
        String language = RUNTIMES.get(service(image));
        if (language != null) {
            environment.put("WAYBILL_RUNTIME_DIRECTORY", ground.application(language).toString());
        }
        if (image.equals(TRAINED)) {
            // A cache that could not be used would end the JVM.
            environment.merge("JDK_JAVA_OPTIONS", "-XX:AOTMode=on", (one, other) -> one + " " + other);
        }
        return environment;
    }

    /** Nobody writes there; all may read. */
    private static void close(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.toList()) {
                boolean program = Files.isDirectory(file) || Files.isExecutable(file);
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(program ? "r-xr-xr-x" : "r--r--r--"));
            }
        }
    }

    private static void remove(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isDirectory).toList()) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static int status(int port, String path) throws InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request(port, path).build(), BodyHandlers.discarding()).statusCode();
        } catch (IOException _) {
            return 0;
        }
    }

    /** What the sample application answers. */
    private static String run(int port) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(request(port, "/runs/wait").header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("""
                            {"assistant_id": "agent", "input": {"messages": [{"role": "user", "content": "tokens:3"}]}}"""))
                    .build(), BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            return answer.body();
        }
    }

    private static HttpRequest.Builder request(int port, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).timeout(Duration.ofMinutes(1));
    }
}
