package dev.waybill.local.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StorageTest {

    @TempDir
    private Path directory;

    @Test
    void startStopsOrphanedServerAndRetainsData() throws SQLException {
        // Given
        PostgresServer first = PostgresServer.start(postgres());
        execute(first, "CREATE TABLE stored (id int)");

        // When: the first server is still running, as after kill -9 of its parent
        try (PostgresServer second = PostgresServer.start(postgres())) {

            // Then
            execute(second, "INSERT INTO stored VALUES (1)");
            assertThat(ProcessHandle.of(first.pid())).isEmpty();
        }
    }

    @Test
    void rejectsUnsignedRequests() throws IOException, InterruptedException {
        // Given
        try (S3Server server = S3Server.start(s3()); HttpClient client = HttpClient.newHttpClient()) {
            server.createBucket("exports");

            // When
            int status = client
                    .send(HttpRequest.newBuilder(server.endpoint().resolve("/exports")).build(), BodyHandlers.discarding())
                    .statusCode();

            // Then
            assertThat(status).isEqualTo(403);
        }
    }

    @Test
    void serversStopWhenParentIsKilled() throws IOException, InterruptedException {
        // Given
        Path pids = directory.resolve("pids");
        Process program = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), "-Dwaybill.root=" + System.getProperty("waybill.root"),
                ParentProgram.class.getName(), directory.toString())
                .inheritIO()
                .start();
        while (!Files.exists(pids)) {
            assertThat(program.waitFor(100, TimeUnit.MILLISECONDS)).isFalse();
        }

        // When
        program.destroyForcibly().waitFor();

        // Then
        for (String pid : Files.readAllLines(pids)) {
            ProcessHandle.of(Long.parseLong(pid)).ifPresent(handle -> assertThat(handle.onExit())
                    .succeedsWithin(2, TimeUnit.MINUTES));
        }
        assertThat(directory.resolve("stopped")).exists();
    }

    @Test
    void interruptedStartStopsTheServer() {
        // Given: a server that does not become ready, because it has another password
        PostgresServer.start(postgres()).close();
        PostgresSettings otherPassword = new PostgresSettings(directory.resolve("postgres"), directory.resolve("postgres.log"),
                FreePort.find(), "other", false, false);

        for (Runnable start : List.<Runnable> of(() -> PostgresServer.start(otherPassword), () -> S3Server.start(s3()))) {
            // When
            Thread.currentThread().interrupt();
            assertThatThrownBy(start::run).isInstanceOf(IllegalStateException.class).hasMessage("interrupted");

            // Then
            assertThat(Thread.interrupted()).isTrue();
            assertThat(ProcessHandle.current().children().filter(this::isServer).toList())
                    .allSatisfy(server -> assertThat(server.onExit()).succeedsWithin(2, TimeUnit.MINUTES));
        }
    }

    private boolean isServer(ProcessHandle child) {
        return child.info().commandLine().orElse("").contains(directory.toString());
    }

    private PostgresSettings postgres() {
        return new PostgresSettings(directory.resolve("postgres"), directory.resolve("postgres.log"), FreePort.find(), "secret",
                false, false);
    }

    private S3Settings s3() {
        return new S3Settings(Path.of(System.getProperty("waybill.root")), directory.resolve("s3"), directory.resolve("s3.log"),
                FreePort.find(), "id", "secret", false);
    }

    private static void execute(PostgresServer server, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.superuserUrl("postgres"))) {
            connection.createStatement().execute(sql);
        }
    }

    /** Starts servers in a separate JVM, which the test kills. */
    static final class ParentProgram {

        /** Ignores QUIT and stops on TERM, like a JVM. */
        private static final String STOPS_ON_TERM = """
                trap '' QUIT
                trap 'touch "$1/stopped"; exit 0' TERM
                touch "$1/started"
                while :; do sleep 0.1; done
                """;

        private ParentProgram() {
        }

        public static void main(String[] arguments) throws IOException, InterruptedException {
            Path directory = Path.of(arguments[0]);
            StorageTest test = new StorageTest();
            test.directory = directory;
            PostgresServer postgres = PostgresServer.start(test.postgres());
            S3Server s3 = S3Server.start(test.s3());
            ChildProcess other = ChildProcess.start(List.of("sh", "-c", STOPS_ON_TERM, "sh", arguments[0]), Map.of(),
                    directory.resolve("other.log"), false);
            while (!Files.exists(directory.resolve("started"))) {
                Thread.sleep(10);
            }
            Path ready = Files.writeString(directory.resolve("pids.part"),
                    postgres.pid() + "\n" + s3.pid() + "\n" + other.pid() + "\n");
            Files.move(ready, directory.resolve("pids"));
            Thread.sleep(60_000);
        }
    }
}
