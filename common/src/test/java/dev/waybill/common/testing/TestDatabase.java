package dev.waybill.common.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import org.flywaydb.core.Flyway;

import dev.waybill.local.storage.FreePort;
import dev.waybill.local.storage.PostgresServer;
import dev.waybill.local.storage.PostgresSettings;

/**
 * The one PostgreSQL of this JVM with the database {@code waybill} and its three roles. It starts when first asked for and ends
 * with
 * the JVM, also when that is killed.
 */
public final class TestDatabase {

    /** The same for every role: a test's database listens on loopback and lives as long as its JVM. */
    static final String PASSWORD = "test";

    /** Quarkus loads test resources with several class loaders; a system property is what all of them share. */
    private static final String PORT = "waybill.test.postgres.port";

    private static final Map<String, Service> SERVICES = Map.of(
            "control-plane", new Service("waybill_control", List.of("account", "deploy"),
                    Map.of("key_readers", "waybill_experiment,waybill_export")),
            "experiment-service",
            new Service("waybill_experiment", List.of("trace"), Map.of("trace_readers", "waybill_export")),
            "export-service", new Service("waybill_export", List.of("export"), Map.of()));

    private final int port;
    private final String name;

    private TestDatabase(int port, String name) {
        this.port = port;
        this.name = name;
    }

    /** @return this JVM's database, started if it was not */
    public static TestDatabase get() {
        synchronized (Runtime.getRuntime()) {
            String running = System.getProperty(PORT);
            if (running != null) {
                return new TestDatabase(Integer.parseInt(running), "waybill");
            }
            TestDatabase database = start();
            System.setProperty(PORT, Integer.toString(database.port));
            return database;
        }
    }

    /** @return an empty database beside it with the same roles, in which no service works on what a test puts there */
    public static TestDatabase another() {
        TestDatabase first = get();
        TestDatabase another = new TestDatabase(first.port, "test_" + UUID.randomUUID().toString().replace("-", ""));
        createDatabase(first.superuserUrl(), another.name);
        another.createRoles();
        return another;
    }

    /** Runs another service's own migrations, as its own role: what it grants there is what tests find. */
    public void migrate(String module) {
        migrate(module, "latest");
    }

    /** The same, only as far as the migration of that version. */
    public void migrate(String module, String target) {
        Service service = SERVICES.get(module);
        if (service == null) {
            throw new IllegalArgumentException("no migrations are known for " + module);
        }
        Path scripts = root().resolve(module + "/src/main/resources/db/" + module);
        synchronized (Runtime.getRuntime()) {
            Flyway.configure(Thread.currentThread().getContextClassLoader())
                    .dataSource(url(), service.role(), PASSWORD)
                    .locations("filesystem:" + scripts)
                    .defaultSchema(service.schemas().getFirst())
                    .schemas(service.schemas().toArray(String[]::new))
                    .placeholders(service.placeholders())
                    .target(target)
                    .load()
                    .migrate();
        }
    }

    /** Makes it possible to put runs of these times straight into the table. */
    public void makeRunPartitions(Instant first, Instant last) {
        try (Connection connection = superuser();
                PreparedStatement statement = connection.prepareStatement("""
                        SELECT trace.make_runs_partition(moment) FROM (
                            SELECT generate_series(?::timestamptz, ?::timestamptz, interval '28 days') UNION SELECT ?
                        ) AS moments (moment)""")) {
            statement.setObject(1, first.atOffset(ZoneOffset.UTC));
            statement.setObject(2, last.atOffset(ZoneOffset.UTC));
            statement.setObject(3, last.atOffset(ZoneOffset.UTC));
            statement.execute();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Does the work while the server is stopped, and starts it again on the same port and data. */
    void whileStopped(Runnable work) {
        PostgresSettings settings = settings(port);
        PostgresServer.stopLeftOver(settings.dataDirectory());
        try {
            work.run();
        } finally {
            PostgresServer.start(settings);
        }
    }

    /** From now on the server also speaks TLS, with this certificate and key. */
    void speakTls(Path certificate, Path key) {
        try (Connection connection = superuser(); Statement statement = connection.createStatement()) {
            statement.execute("ALTER SYSTEM SET ssl_cert_file = '" + certificate + "'");
            statement.execute("ALTER SYSTEM SET ssl_key_file = '" + key + "'");
            statement.execute("ALTER SYSTEM SET ssl = on");
            statement.execute("SELECT pg_reload_conf()");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        awaitTls();
    }

    private void awaitTls() {
        Patience.await().ignoreExceptions().until(() -> {
            try (Connection connection = DriverManager.getConnection(superuserUrl() + "&sslmode=require")) {
                return connection.isValid(60);
            }
        });
    }

    /** @return its name on the server */
    public String name() {
        return name;
    }

    /** @return the JDBC address, without user */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + name;
    }

    /** @return the address for the reactive client, without user */
    public String reactiveUrl() {
        return "postgresql://127.0.0.1:" + port + "/" + name;
    }

    /** @return the JDBC address with the superuser's name and password in it: sees every workspace's rows */
    public String superuserUrl() {
        return url() + "?user=postgres&password=" + PASSWORD;
    }

    /** @return a connection that sees every workspace's rows; close it */
    public Connection superuser() {
        try {
            return DriverManager.getConnection(superuserUrl());
        } catch (SQLException e) {
            throw new IllegalStateException("the test database does not answer", e);
        }
    }

    static Path root() {
        String root = System.getProperty("waybill.root");
        // Without the build (an IDE) tests run in the module's folder.
        return root == null ? Path.of("").toAbsolutePath().getParent() : Path.of(root);
    }

    private static TestDatabase start() {
        PostgresSettings settings = settings(FreePort.find());
        Path data = settings.dataDirectory();
        removeLeftOvers(data.getParent());
        PostgresServer server = PostgresServer.start(settings);
        // In order where possible, so that the data directory can go; after kill -9 the next run removes it. The server may be
        // another than this one by then.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            PostgresServer.stopLeftOver(data);
            delete(data);
        }));
        createDatabase(server.superuserUrl("postgres"), "waybill");
        TestDatabase database = new TestDatabase(server.port(), "waybill");
        database.leaveTablesAlone();
        database.createRoles();
        return database;
    }

    private static PostgresSettings settings(int port) {
        Path target = Path.of("target").toAbsolutePath();
        return new PostgresSettings(target.resolve("postgres-" + ProcessHandle.current().pid()), target.resolve("postgres.log"),
                port, PASSWORD, false, false);
    }

    /** What PostgreSQL counts by itself, whenever it comes to it, would make plans that tests look at a matter of chance. */
    private void leaveTablesAlone() {
        try (Connection connection = superuser(); Statement statement = connection.createStatement()) {
            statement.execute("ALTER SYSTEM SET autovacuum = off");
            statement.execute("SELECT pg_reload_conf()");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void createDatabase(String superuserUrl, String name) {
        try (Connection connection = DriverManager.getConnection(superuserUrl);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException("the test database could not be made", e);
        }
    }

    private void createRoles() {
        try (Connection connection = superuser(); Statement statement = connection.createStatement()) {
            statement.execute(Files.readString(root().resolve("common/src/main/resources/database/roles.sql")));
            for (Service service : SERVICES.values()) {
                statement.execute("ALTER ROLE " + service.role() + " PASSWORD '" + PASSWORD + "'");
            }
        } catch (SQLException | IOException e) {
            throw new IllegalStateException("the roles could not be made", e);
        }
    }

    private static void removeLeftOvers(Path target) {
        if (!Files.isDirectory(target)) {
            return;
        }
        try (Stream<Path> files = Files.list(target)) {
            files.filter(file -> file.getFileName().toString().matches("postgres-\\d+"))
                    .filter(file -> ProcessHandle.of(Long.parseLong(file.getFileName().toString().substring(9))).isEmpty())
                    .forEach(TestDatabase::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Service(String role, List<String> schemas, Map<String, String> placeholders) {
    }
}
