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

/**
 * One running PostgreSQL. Starting on a data directory whose server was left over by a killed program takes that server down
 * first.
 */
public final class PostgresServer implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofMinutes(3);

    private final PostgresSettings settings;
    private ChildProcess process;

    private PostgresServer(PostgresSettings settings, ChildProcess process) {
        this.settings = settings;
        this.process = process;
    }

    /** Returns when the server answers. */
    public static PostgresServer start(PostgresSettings settings) {
        PostgresBinaries binaries = PostgresBinaries.unpacked();
        try {
            Files.createDirectories(settings.logFile().toAbsolutePath().resolveSibling("."));
            if (!Files.exists(settings.dataDirectory().resolve("PG_VERSION"))) {
                initialise(binaries, settings);
            }
            stopOrphan(settings.dataDirectory());
            PostgresServer server = new PostgresServer(settings, launch(binaries, settings));
            server.awaitAnswer();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL could not be started in " + settings.dataDirectory(), e);
        }
    }

    /**
     * Starts again after {@link #close} or {@link #crash}, on the same port and data; returns when the server answers, which is
     * after it has recovered.
     */
    public void restart() {
        try {
            process = launch(PostgresBinaries.unpacked(), settings);
            awaitAnswer();
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL could not be started again in " + settings.dataDirectory(), e);
        }
    }

    /** Takes down the server that an earlier program left running on this data directory; answers whether there was one. */
    public static boolean stopOrphan(Path dataDirectory) {
        Optional<ProcessHandle> server = leftOver(dataDirectory);
        server.ifPresent(OrphanProcess::end);
        return server.isPresent();
    }

    /** @return a JDBC address with the superuser's name and password in it */
    public String superuserUrl(String database) {
        return url(database) + "?user=postgres&password=" + settings.superuserPassword();
    }

    /** @return a JDBC address without user */
    public String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + settings.port() + "/" + database;
    }

    public int port() {
        return settings.port();
    }

    public long pid() {
        return process.pid();
    }

    /** Stops in order (its "fast" stop): open transactions roll back, everything committed is on disk. */
    @Override
    public void close() {
        process.end("INT");
    }

    /** Ends every process of the server where it stands (its "immediate" stop): what follows is crash recovery. */
    public void crash() {
        process.end("QUIT");
    }

    private static void initialise(PostgresBinaries binaries, PostgresSettings settings) throws IOException {
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
            if (!initdb.waitFor(START_LIMIT.toSeconds(), TimeUnit.SECONDS) || initdb.exitValue() != 0) {
                initdb.destroyForcibly();
                throw new IOException("initdb failed; its words are in " + settings.logFile());
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
                // Parallel workers and big shared memory ask more of /dev/shm than small containers give.
                "max_parallel_workers_per_gather=0", "dynamic_shared_memory_type=mmap",
                "fsync=" + (settings.durable() ? "on" : "off"), "full_page_writes=" + (settings.durable() ? "on" : "off"))) {
            command.add("-c");
            command.add(parameter);
        }
        return ChildProcess.start(command, Map.of(), settings.logFile(), settings.detached());
    }

    /** PostgreSQL refuses to run as root; in a user namespace of its own, root is nobody. */
    private static List<String> unprivileged(String... command) {
        List<String> whole = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            whole.addAll(List.of("unshare", "-U"));
        }
        whole.addAll(List.of(command));
        return whole;
    }

    private void awaitAnswer() throws IOException {
        Properties superuser = new Properties();
        superuser.setProperty("user", "postgres");
        superuser.setProperty("password", settings.superuserPassword());
        superuser.setProperty("connectTimeout", "2");
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            if (!process.isAlive()) {
                throw new IOException("the server ended at once; its words are in " + settings.logFile());
            }
            // The password is this data directory's own, so whoever takes it is our server and no other on that port.
            try (Connection connection = DriverManager.getConnection(url("postgres"), superuser)) {
                if (connection.isValid(1)) {
                    return;
                }
            } catch (SQLException e) {
                if (System.nanoTime() > deadline) {
                    close();
                    throw new IOException("the server does not answer", e);
                }
            }
            pause();
        }
    }

    private static Optional<ProcessHandle> leftOver(Path dataDirectory) {
        Path note = dataDirectory.resolve("postmaster.pid");
        if (!Files.exists(note)) {
            return Optional.empty();
        }
        try {
            long pid = Long.parseLong(Files.readAllLines(note).getFirst().strip());
            // The note outlives a crash and its number may be another program's by now.
            return ProcessHandle.of(pid)
                    .filter(handle -> handle.info().commandLine().orElse("").contains(dataDirectory.toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
