package dev.waybill.local.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/** A running PostgreSQL server. Starting it first stops a server that an earlier run left behind on the data directory. */
public final class PostgresServer implements AutoCloseable {

    private static final Duration START_TIMEOUT = Duration.ofMinutes(3);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    private final PostgresSettings settings;
    private ChildProcess process;

    private PostgresServer(PostgresSettings settings, ChildProcess process) {
        this.settings = settings;
        this.process = process;
    }

    /** Starts a server and returns when it accepts connections. */
    public static PostgresServer start(PostgresSettings settings) {
        PostgresBinaries binaries = PostgresBinaries.unpack();
        try {
            Files.createDirectories(settings.logFile().toAbsolutePath().resolveSibling("."));
            if (!Files.exists(settings.dataDirectory().resolve("PG_VERSION"))) {
                initialize(binaries, settings);
            }
            stopOrphan(settings.dataDirectory());
            PostgresServer server = new PostgresServer(settings, launch(binaries, settings));
            server.awaitReady();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start PostgreSQL in " + settings.dataDirectory(), e);
        }
    }

    /**
     * Starts the server after {@link #close} or {@link #crash} on the same port and data. Returns when it accepts connections,
     * which is after crash recovery.
     */
    public void restart() {
        try {
            process = launch(PostgresBinaries.unpack(), settings);
            awaitReady();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot restart PostgreSQL in " + settings.dataDirectory(), e);
        }
    }

    /** Stops a server that an earlier run left behind on this data directory. Returns whether one was running. */
    public static boolean stopOrphan(Path dataDirectory) {
        Optional<ProcessHandle> server = findOrphan(dataDirectory);
        server.ifPresent(OrphanProcess::stop);
        return server.isPresent();
    }

    /** Returns a JDBC URL that contains the superuser's name and password. */
    public String superuserUrl(String database) {
        return url(database) + "?user=postgres&password=" + settings.superuserPassword();
    }

    /** Returns a JDBC URL without a user. */
    public String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + settings.port() + "/" + database;
    }

    public int port() {
        return settings.port();
    }

    public long pid() {
        return process.pid();
    }

    /** Performs a fast shutdown: rolls back open transactions and writes committed data to disk. */
    @Override
    public void close() {
        process.stop("INT");
    }

    /** Performs an immediate shutdown, so that the next start runs crash recovery. */
    public void crash() {
        process.stop("QUIT");
    }

    private static void initialize(PostgresBinaries binaries, PostgresSettings settings) throws IOException {
        Files.createDirectories(settings.dataDirectory().toAbsolutePath().resolveSibling("."));
        Path password = Files.createTempFile("waybill", ".pw");
        try {
            Files.writeString(password, settings.superuserPassword());
            List<String> command = unprivileged(binaries.program("initdb").toString(), "-D",
                    settings.dataDirectory().toString(),
                    "-U", "postgres", "--pwfile", password.toString(), "-A", "scram-sha-256", "-E", "UTF8", "--locale=C",
                    "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-sync");
            Process initdb = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.appendTo(settings.logFile().toFile()))
                    .start();
            if (!initdb.waitFor(START_TIMEOUT.toSeconds(), TimeUnit.SECONDS) || initdb.exitValue() != 0) {
                initdb.destroyForcibly();
                throw new IOException("initdb failed; see " + settings.logFile());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            Files.delete(password);
        }
    }

    private static ChildProcess launch(PostgresBinaries binaries, PostgresSettings settings) {
        List<String> command = unprivileged(binaries.program("postgres").toString(), "-D", settings.dataDirectory().toString());
        for (String parameter : List.of("port=" + settings.port(), "listen_addresses=127.0.0.1", "unix_socket_directories=",
                "max_connections=200", "shared_buffers=128MB", "max_wal_size=512MB", "timezone=UTC", "log_timezone=UTC",
                "jit=off",
                // Parallel workers and large shared memory exceed the /dev/shm of small containers.
                "max_parallel_workers_per_gather=0", "dynamic_shared_memory_type=mmap",
                "fsync=" + (settings.durable() ? "on" : "off"), "full_page_writes=" + (settings.durable() ? "on" : "off"))) {
            command.add("-c");
            command.add(parameter);
        }
        return ChildProcess.start(command, Map.of(), settings.logFile(), settings.detached());
    }

    /** Runs the command in a user namespace if this process is root, because PostgreSQL refuses to run as root. */
    private static List<String> unprivileged(String... command) {
        List<String> arguments = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            arguments.addAll(List.of("unshare", "-U"));
        }
        arguments.addAll(List.of(command));
        return arguments;
    }

    private void awaitReady() throws IOException {
        Properties superuser = new Properties();
        superuser.setProperty("user", "postgres");
        superuser.setProperty("password", settings.superuserPassword());
        superuser.setProperty("connectTimeout", "2");
        long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
        while (true) {
            if (!process.isAlive()) {
                throw new IOException("the server exited; see " + settings.logFile());
            }
            // Only the server of this data directory accepts its password; another one on this port does not.
            try (Connection connection = DriverManager.getConnection(url("postgres"), superuser)) {
                if (connection.isValid(1)) {
                    return;
                }
            } catch (SQLException e) {
                if (System.nanoTime() > deadline) {
                    close();
                    throw new IOException("the server does not accept connections", e);
                }
            }
            waitForNextAttempt();
        }
    }

    private void waitForNextAttempt() {
        try {
            Wait.sleep(POLL_INTERVAL);
        } catch (IllegalStateException e) {
            close();
            throw e;
        }
    }

    private static Optional<ProcessHandle> findOrphan(Path dataDirectory) {
        Path pidFile = dataDirectory.resolve("postmaster.pid");
        if (!Files.exists(pidFile)) {
            return Optional.empty();
        }
        try {
            long pid = Long.parseLong(Files.readAllLines(pidFile).getFirst().strip());
            // The file survives a crash, and the system may have reused the process id.
            return ProcessHandle.of(pid)
                    .filter(handle -> handle.info().commandLine().orElse("").contains(dataDirectory.toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
