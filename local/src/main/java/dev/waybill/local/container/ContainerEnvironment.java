package dev.waybill.local.container;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

import dev.waybill.local.storage.FreePort;
import dev.waybill.local.storage.PostgresServer;
import dev.waybill.local.storage.PostgresSettings;

/** The environment of containers: an empty database with the services' roles, and the configuration from the manifests. */
public final class ContainerEnvironment implements AutoCloseable {

    /** The services with separate images, in the order in which their first migrations depend on each other. */
    public static final List<String> SERVICES = List.of("control-plane", "experiment-service", "export-service",
            "deployment-runtime", "console");

    private static final String PASSWORD = "password-of-a-test";
    private static final Map<String, String> ROLES = Map.of("control-plane", "waybill_control", "experiment-service",
            "waybill_experiment", "export-service", "waybill_export");

    // A loopback address in a spelling that services do not treat as local, so that their production rules apply.
    private static final String ADDRESS = "::ffff:127.0.0.1";

    private final Path root;
    private final Path folder;
    private final PostgresServer postgres;

    private ContainerEnvironment(Path root, Path folder, PostgresServer postgres) {
        this.root = root;
        this.folder = folder;
        this.postgres = postgres;
    }

    /**
     * Starts the database.
     *
     * @param root the root of the project
     * @param folder a folder that the images' user can read
     * @param data the folder of the database
     */
    public static ContainerEnvironment open(Path root, Path folder, Path data) {
        int port = FreePort.find();
        ContainerEnvironment environment = new ContainerEnvironment(root, folder,
                PostgresServer.start(new PostgresSettings(data.resolve("data-" + port), folder.resolve("postgresql.log"), port,
                        PASSWORD, false, false)));
        try {
            environment.execute("postgres", "CREATE DATABASE waybill");
            environment.execute("waybill", Files.readString(root.resolve("common/src/main/resources/database/roles.sql")));
            for (String role : ROLES.values()) {
                environment.execute("waybill", "ALTER ROLE " + role + " PASSWORD '" + PASSWORD + "'");
            }
            return environment;
        } catch (IOException e) {
            environment.close();
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the Dockerfile of an image. */
    public Dockerfile dockerfile(String image) {
        return Dockerfile.read(root.resolve("containers/" + image + ".Dockerfile"));
    }

    /** Returns whether the build has created all files that the image copies. */
    public boolean isBuilt(Dockerfile dockerfile) {
        return dockerfile.image().all("COPY")
                .map(copy -> copy.text().split(" ")[0])
                .filter(source -> !source.startsWith("--from="))
                .allMatch(source -> Files.exists(root.resolve(source)));
    }

    /**
     * Returns the environment variables of a service's container.
     *
     * @param volume a writable folder
     * @param port the port of the service
     */
    public Map<String, String> variables(String service, Path volume, int port) {
        Map<String, String> environment = new TreeMap<>();
        environment.put("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + volume);
        environment.put("QUARKUS_HTTP_PORT", Integer.toString(port));
        environment.put("QUARKUS_HTTP_HOST", ADDRESS);
        // Containers share the host's ports.
        environment.put("QUARKUS_MANAGEMENT_PORT", "0");
        if (service.equals("console")) {
            manifest(service).forEach((name, value) -> environment.put(name.toString(), value.toString()));
            environment.put("WAYBILL_CONSOLE_SESSION_KEY", randomKey());
        }
        String role = ROLES.get(service);
        if (role == null) {
            return environment;
        }
        manifest(service).forEach((name, value) -> environment.put(name.toString(),
                value.toString().replace("waybill-database-rw:5432", "127.0.0.1:" + postgres.port())));
        environment.put("QUARKUS_DATASOURCE_USERNAME", role);
        environment.put("QUARKUS_DATASOURCE_PASSWORD", PASSWORD);
        environment.put("WAYBILL_ENCRYPTION_CURRENT", "k1");
        environment.put("WAYBILL_ENCRYPTION_KEYS_K1", randomKey());
        return environment;
    }

    private static String randomKey() {
        byte[] key = new byte[32];
        RandomGenerator.getDefault().nextBytes(key);
        return Base64.getEncoder().encodeToString(key);
    }

    /** Copies a sample application to a folder that the images' user can read. */
    public Path application(String language) {
        Path application = folder.resolve("application-" + language);
        try (Stream<Path> files = Files.list(root.resolve("deployment-runtime/samples").resolve(language))) {
            Files.createDirectories(application);
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, application.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
            return application;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates an empty world-writable folder. */
    public Path volume(String image) {
        Path volume = folder.resolve(image + "-volume");
        try {
            Files.createDirectories(volume);
            Files.setPosixFilePermissions(volume, PosixFilePermissions.fromString("rwxrwxrwx"));
            return volume;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        postgres.close();
    }

    private Properties manifest(String service) {
        Properties manifest = new Properties();
        try {
            manifest.load(new StringReader(Files.readString(root.resolve("k8s/base/services/config/" + service + ".env"))));
            return manifest;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void execute(String database, String sql) {
        try (Connection connection = DriverManager.getConnection(postgres.superuserUrl(database));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
