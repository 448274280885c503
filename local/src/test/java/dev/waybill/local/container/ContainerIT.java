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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.waybill.local.storage.FreePort;

/**
 * Builds the content of each image, starts it as the image's user with the configuration of the manifests on an empty database,
 * and tests it. Without root privileges the services run as the current user, in read-only folders.
 */
@Tag("full")
class ContainerIT {

    private static final Path ROOT = Path.of(System.getProperty("waybill.root"));
    private static final String NATIVE = ".native";
    // Only one image, because the training takes most of the test's time and is the same for all.
    private static final String TRAINED = "export-service";
    /** The images of runtimes with the language of the sample application that they serve. */
    private static final Map<String, String> RUNTIMES = Map.of("deployment-runtime", "java", "runtime-node", "node",
            "runtime-python", "python");

    private static Path folder;
    private static ContainerEnvironment containers;

    @BeforeAll
    static void database() throws IOException {
        // Not below target, because the image's user may have no access to the home directory.
        folder = Files.createTempDirectory("waybill-containers-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        containers = ContainerEnvironment.open(ROOT, folder, Path.of("target", "containers").toAbsolutePath());
        if (!ImageProcess.canSwitchUser()) {
            System.out.println("ContainerIT: not root, so the services run as the current user");
        }
    }

    @AfterAll
    static void end() throws IOException {
        containers.close();
        remove(folder);
    }

    @ParameterizedTest
    @MethodSource("images")
    void startsAsItsUserAndWritesOnlyToItsVolume(String image) throws Exception {
        Dockerfile dockerfile = containers.dockerfile(image);
        String user = dockerfile.image().last("USER").orElseThrow().text();
        ImageLayout layout = ImageLayout.of(ROOT, folder.resolve(image), dockerfile, image.equals(TRAINED));
        Path volume = containers.volume(image);
        assertThat(layout.path("/waybill/bom.json")).content().contains("CycloneDX");
        makeReadOnly(layout.root());
        int port = FreePort.find();
        Path log = folder.resolve(image + ".log");
        List<String> command = new ArrayList<>(dockerfile.command());
        if (image.endsWith(NATIVE)) {
            command.add("-Djava.io.tmpdir=" + volume);
        }

        try (ImageProcess started = ImageProcess.start(user, command, layout.directory(), environment(image, volume, port),
                log)) {
            await().atMost(Duration.ofMinutes(3)).pollInterval(Duration.ofMillis(200)).failFast("the process exited: " + log,
                    () -> !started.isAlive()).until(() -> status(port, "/q/health/ready") == 200);

            assertThat(List.of(status(port, "/q/health/started"), status(port, "/q/health/live"))).containsOnly(200);
            ImageProcess.run(List.of(layout.path("/usr/local/bin/healthy").toString(), Integer.toString(port)), folder,
                    Map.of());
            if (RUNTIMES.containsKey(service(image))) {
                assertThat(run(port)).contains("token-2");
            }
            // 128 + SIGTERM: a regular shutdown.
            assertThat(started.stop()).isEqualTo(143);
        }
        assertThat(Files.readString(log)).doesNotContainIgnoringCase("read-only file system", "permission denied");
        remove(layout.root());
    }

    /** Returns the images on the JVM, and the native ones whose binary is built. */
    static Stream<String> images() {
        List<String> images = new ArrayList<>(ContainerEnvironment.SERVICES);
        images.addAll(List.of("runtime-node", "runtime-python"));
        return Stream.concat(images.stream(), images.stream()
                .map(image -> image + NATIVE)
                .filter(image -> containers.isBuilt(containers.dockerfile(image))));
    }

    private static String service(String image) {
        return image.replace(NATIVE, "");
    }

    private static Map<String, String> environment(String image, Path volume, int port) {
        Map<String, String> environment = containers.variables(service(image), volume, port);
        String language = RUNTIMES.get(service(image));
        if (language != null) {
            environment.put("WAYBILL_RUNTIME_DIRECTORY", containers.application(language).toString());
        }
        if (image.equals(TRAINED)) {
            // The JVM exits if it cannot use the cache.
            environment.merge("JDK_JAVA_OPTIONS", "-XX:AOTMode=on", (one, other) -> one + " " + other);
        }
        return environment;
    }

    /** Makes all files read-only. */
    private static void makeReadOnly(Path root) throws IOException {
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

    /** Returns the response of the sample application. */
    private static String run(int port) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response = client.send(request(port, "/runs/wait").header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("""
                            {"assistant_id": "agent", "input": {"messages": [{"role": "user", "content": "tokens:3"}]}}"""))
                    .build(), BodyHandlers.ofString());
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            return response.body();
        }
    }

    private static HttpRequest.Builder request(int port, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).timeout(Duration.ofMinutes(1));
    }
}
