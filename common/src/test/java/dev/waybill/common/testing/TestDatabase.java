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
 * The PostgreSQL server of this JVM, with the database {@code waybill} and its three roles. It starts on first use and stops
 * with the JVM, also when the JVM is killed.
 */
public final class TestDatabase {

    /** The password of every role; the database listens on loopback and exists only as long as its JVM. */
    static final String PASSWORD = "test";

    private static final String NAME = "waybill";

    /** A system property, because Quarkus loads test resources with several class loaders. */
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

    /** Returns this JVM's database; starts it on first use. */
    public static TestDatabase get() {
        synchronized (Runtime.getRuntime()) {
            String running = System.getProperty(PORT);
            if (running != null) {
                return new TestDatabase(Integer.parseInt(running), NAME);
            }
            TestDatabase database = start();
            System.setProperty(PORT, Integer.toString(database.port));
            return database;
        }
    }

    /** Creates an empty database on the same server, which no service uses. */
    public static TestDatabase another() {
        TestDatabase first = get();
        TestDatabase another = new TestDatabase(first.port, "test_" + UUID.randomUUID().toString().replace("-", ""));
        createDatabase(first.superuserUrl(), another.name);
        another.createRoles();
        return another;
    }

    /** Creates an empty database on another server, whose password is that of this one. */
    public static TestDatabase on(PostgresServer server) {
        TestDatabase database = new TestDatabase(server.port(), "waybill");
        createDatabase(server.superuserUrl("postgres"), database.name);
        database.createRoles();
        return database;
    }

    /** Runs the migrations of a service with the service's role, including its grants; once in the database of this JVM. */
    public void migrate(String module) {
        String migrated = "waybill.test.postgres.migrated." + module;
        if (name.equals(NAME) && Boolean.getBoolean(migrated)) {
            return;
        }
        migrate(module, "latest");
        if (name.equals(NAME)) {
            System.setProperty(migrated, "true");
        }
    }

    /** Runs the migrations of a service up to the version {@code target}. */
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

    /** Creates the partitions for runs of these times. */
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

    /** Runs the work while the server is stopped, then restarts it with the same port and data. */
    void whileStopped(Runnable work) {
        PostgresSettings settings = settings(port);
        PostgresServer.stopOrphan(settings.dataDirectory());
        try {
            work.run();
        } finally {
            PostgresServer.start(settings);
        }
    }

    /** Enables TLS on the server with this certificate and key. */
    void enableTls(Path certificate, Path key) {
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

    /** Returns the name of the database. */
    public String name() {
        return name;
    }

    /** Returns the JDBC URL without user. */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + name;
    }

    /** Returns the URL for the reactive client without user. */
    public String reactiveUrl() {
        return "postgresql://127.0.0.1:" + port + "/" + name;
    }

    /** Returns the JDBC URL with the superuser's name and password, who can read the rows of all workspaces. */
    public String superuserUrl() {
        return url() + "?user=postgres&password=" + PASSWORD;
    }

    /** Opens a connection as superuser, who can read the rows of all workspaces; the caller must close it. */
    public Connection superuser() {
        try {
            return DriverManager.getConnection(superuserUrl());
        } catch (SQLException e) {
            throw new IllegalStateException("the test database does not respond", e);
        }
    }

    static Path root() {
        String root = System.getProperty("waybill.root");
        // An IDE runs tests in the folder of the module.
        return root == null ? Path.of("").toAbsolutePath().getParent() : Path.of(root);
    }

    private static TestDatabase start() {
        PostgresSettings settings = settings(FreePort.find());
        Path data = settings.dataDirectory();
        removeStaleData(data.getParent());
        PostgresServer server = PostgresServer.start(settings);
        // An orderly stop deletes the data directory; after kill -9, the next run deletes it. Stops the server even if it was
        // restarted.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            PostgresServer.stopOrphan(data);
            delete(data);
        }));
        createDatabase(server.superuserUrl("postgres"), NAME);
        TestDatabase database = new TestDatabase(server.port(), NAME);
        database.disableAutovacuum();
        database.simplifyPasswords();
        database.createRoles();
        return database;
    }

    private static PostgresSettings settings(int port) {
        Path target = Path.of("target").toAbsolutePath();
        return new PostgresSettings(target.resolve("postgres-" + ProcessHandle.current().pid()), target.resolve("postgres.log"),
                port, PASSWORD, false, false);
    }

    /** Disables autovacuum and autoanalyze, which would make the plans that tests check depend on timing. */
    private void disableAutovacuum() {
        try (Connection connection = superuser(); Statement statement = connection.createStatement()) {
            statement.execute("ALTER SYSTEM SET autovacuum = off");
            statement.execute("SELECT pg_reload_conf()");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reduces the cost of a connection, of which tests open thousands: each would hash its password 4096 times. */
    private void simplifyPasswords() {
        try (Connection connection = superuser(); Statement statement = connection.createStatement()) {
            statement.execute("ALTER SYSTEM SET scram_iterations = 1");
            statement.execute("SELECT pg_reload_conf()");
            statement.execute("SET scram_iterations = 1");
            statement.execute("ALTER ROLE postgres PASSWORD '" + PASSWORD + "'");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void createDatabase(String superuserUrl, String name) {
        try (Connection connection = DriverManager.getConnection(superuserUrl);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
            // Neither UTC nor the zone of the JVM (pom.xml), which pgjdbc sets: results may depend on neither.
            statement.execute("ALTER DATABASE " + name + " SET timezone = 'America/St_Johns'");
        } catch (SQLException e) {
            throw new IllegalStateException("the test database could not be created", e);
        }
    }

    private void createRoles() {
        try (Connection connection = superuser(); Statement statement = connection.createStatement()) {
            statement.execute(Files.readString(root().resolve("common/src/main/resources/database/roles.sql")));
            statement.execute("SET scram_iterations = 1");
            for (Service service : SERVICES.values()) {
                statement.execute("ALTER ROLE " + service.role() + " PASSWORD '" + PASSWORD + "'");
            }
        } catch (SQLException | IOException e) {
            throw new IllegalStateException("the roles could not be created", e);
        }
    }

    private static void removeStaleData(Path target) {
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
