package dev.waybill.local.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.waybill.local.storage.FreePort;
import dev.waybill.local.storage.PostgresServer;
import dev.waybill.local.storage.PostgresSettings;

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
    // This machine's own address, spelled as no service knows it: what others than it reach keeps the rules for production.
    private static final String ADDRESS = "::ffff:127.0.0.1";
    private static final String PASSWORD = "password-of-a-test";

    private static Path folder;
    private static PostgresServer postgres;
    private static int port;

    @BeforeAll
    static void database() throws IOException, SQLException {
        // Not below target: other users cannot look into everybody's home.
        folder = Files.createTempDirectory("waybill-containers-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        port = FreePort.find();
        postgres = PostgresServer.start(new PostgresSettings(Path.of("target", "containers", "data-" + port).toAbsolutePath(),
                folder.resolve("postgresql.log"), port, PASSWORD, false, false));
        execute("postgres", "CREATE DATABASE waybill");
        execute("waybill", Files.readString(ROOT.resolve("common/src/main/resources/database/roles.sql")));
        for (String role : List.of("waybill_control", "waybill_experiment", "waybill_export")) {
            execute("waybill", "ALTER ROLE " + role + " PASSWORD '" + PASSWORD + "'");
        }
        if (!Started.canBeAnother()) {
            System.out.println("ContainerIT: not root, so the services run as this user and not as their image's");
        }
    }

    @AfterAll
    static void end() throws IOException {
        postgres.close();
        remove(folder);
    }

    @ParameterizedTest
    @MethodSource("images")
    void startsAsItsUserAndWritesOnlyToItsVolume(String image) throws Exception {
        Dockerfile dockerfile = Dockerfile.read(ROOT.resolve("containers/" + image + ".Dockerfile"));
        String user = dockerfile.image().last("USER").orElseThrow().text();
        Layout layout = Layout.of(ROOT, folder.resolve(image), dockerfile, image.equals(TRAINED));
        Path volume = volume(image);
        close(layout.root());
        int listens = FreePort.find();
        Path log = folder.resolve(image + ".log");
        List<String> command = command(dockerfile);
        if (image.endsWith(NATIVE)) {
            command.add("-Djava.io.tmpdir=" + volume);
        }

        try (Started started = Started.as(user, command, layout.directory(),
                environment(image, volume, listens), log)) {
            await().atMost(Duration.ofMinutes(3)).pollInterval(Duration.ofMillis(200)).failFast("it ended: " + log,
                    () -> !started.isAlive()).until(() -> status(listens, "/q/health/ready") == 200);

            assertThat(List.of(status(listens, "/q/health/started"), status(listens, "/q/health/live"))).containsOnly(200);
            Started.run(List.of(layout.path("/usr/local/bin/healthy").toString(), Integer.toString(listens)), folder, Map.of());
            // 128 + SIGTERM: it ended by itself, in order.
            assertThat(started.end()).isEqualTo(143);
        }
        assertThat(Files.readString(log)).doesNotContainIgnoringCase("read-only file system", "permission denied");
        remove(layout.root());
    }

    /** Those on the JVM always, native ones where their binary was built. */
    static Stream<String> images() {
        List<String> services = List.of("control-plane", "export-service", "experiment-service", "deployment-runtime");
        return Stream.concat(services.stream(), services.stream()
                .filter(service -> Files.exists(ROOT.resolve(binary(service))))
                .map(service -> service + NATIVE));
    }

    private static String binary(String service) {
        return Dockerfile.read(ROOT.resolve("containers/" + service + NATIVE + ".Dockerfile")).image().all("COPY")
                .map(copy -> copy.text().split(" ")[0])
                .filter(source -> source.endsWith("-runner"))
                .findAny().orElseThrow();
    }

    private static List<String> command(Dockerfile dockerfile) {
        List<String> words = new ArrayList<>(dockerfile.image().last("ENTRYPOINT").orElseThrow().words());
        words.addAll(dockerfile.image().last("CMD").orElseThrow().words());
        return words;
    }

    private static Map<String, String> environment(String image, Path volume, int listens) throws IOException {
        String service = image.replace(NATIVE, "");
        Map<String, String> environment = new TreeMap<>();
        // /tmp is the volume; a cache that could not be used would end the JVM.
        environment.put("JDK_JAVA_OPTIONS",
                "-Djava.io.tmpdir=" + volume + (image.equals(TRAINED) ? " -XX:AOTMode=on" : ""));
        environment.put("QUARKUS_HTTP_PORT", Integer.toString(listens));
        environment.put("QUARKUS_HTTP_HOST", ADDRESS);
        if (service.equals("deployment-runtime")) {
            environment.put("WAYBILL_RUNTIME_DIRECTORY", application().toString());
            return environment;
        }
        Properties manifest = new Properties();
        manifest.load(new StringReader(Files.readString(ROOT.resolve("k8s/base/services/config/" + service + ".env"))));
        manifest.forEach((name, value) -> environment.put(name.toString(),
                value.toString().replace("waybill-database-rw:5432", "127.0.0.1:" + port)));
        environment.put("QUARKUS_DATASOURCE_USERNAME", role(service));
        environment.put("QUARKUS_DATASOURCE_PASSWORD", PASSWORD);
        environment.put("WAYBILL_ENCRYPTION_CURRENT", "k1");
        byte[] key = new byte[32];
        RandomGenerator.getDefault().nextBytes(key);
        environment.put("WAYBILL_ENCRYPTION_KEYS_K1", Base64.getEncoder().encodeToString(key));
        return environment;
    }

    private static String role(String service) {
        return switch (service) {
            case "control-plane" -> "waybill_control";
            case "export-service" -> "waybill_export";
            default -> "waybill_experiment";
        };
    }

    /** Where the image's user may look, too. */
    private static Path application() throws IOException {
        Path application = folder.resolve("application");
        Files.createDirectories(application);
        try (Stream<Path> files = Files.list(ROOT.resolve("deployment-runtime/samples/java"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, application.resolve(file.getFileName()));
            }
        }
        return application;
    }

    private static Path volume(String service) throws IOException {
        Path volume = folder.resolve(service + "-volume");
        Files.createDirectory(volume);
        Files.setPosixFilePermissions(volume, PosixFilePermissions.fromString("rwxrwxrwx"));
        return volume;
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
        HttpRequest question = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(10)).build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(question, BodyHandlers.discarding()).statusCode();
        } catch (IOException _) {
            return 0;
        }
    }

    private static void execute(String database, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(postgres.superuserUrl(database));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
