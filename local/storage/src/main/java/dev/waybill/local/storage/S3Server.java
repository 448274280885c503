package dev.waybill.local.storage;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;

import org.jspecify.annotations.Nullable;

/**
 * An S3 server that verifies version 4 signatures. Runs in a separate process, because its jars must not be on a service's
 * class
 * path. Fault tests stop, restart and pause it.
 */
public final class S3Server implements AutoCloseable {

    private static final Duration START_TIMEOUT = Duration.ofMinutes(3);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    private final S3Settings settings;
    private final @Nullable String host;
    private @Nullable ChildProcess process;

    private S3Server(S3Settings settings, @Nullable String host) {
        this.settings = settings;
        this.host = host;
    }

    /** Starts a server and returns when it accepts connections. */
    public static S3Server start(S3Settings settings) {
        return started(new S3Server(settings, null));
    }

    /**
     * Like {@link #start(S3Settings)}; also serves buckets as subdomains of {@code host}, which must resolve to this server.
     */
    public static S3Server startAt(String host, S3Settings settings) {
        return started(new S3Server(settings, host));
    }

    private static S3Server started(S3Server server) {
        server.start();
        return server;
    }

    /** Starts the server after {@link #stop}, on the same port and directory. */
    public void start() {
        try {
            Files.createDirectories(settings.directory());
            // Keys are file names, which Java encodes according to the locale.
            ChildProcess started = ChildProcess.start(command(), Map.of("LC_ALL", "C.UTF-8"), settings.logFile(),
                    settings.detached());
            process = started;
            awaitReady(started);
        } catch (IOException e) {
            stop();
            throw new UncheckedIOException("cannot start the S3 server on port " + settings.port(), e);
        } catch (IllegalStateException e) {
            stop();
            throw e;
        }
    }

    /** Kills the server. */
    public void stop() {
        if (process != null) {
            process.kill();
        }
        process = null;
    }

    /** Suspends the server until {@link #resume}; connections stay open. */
    public void pause() {
        running().pause();
    }

    public void resume() {
        running().resume();
    }

    /** Creates a bucket unless it exists. */
    public void createBucket(String name) {
        try {
            // The server treats a world-readable folder as a public bucket.
            Files.createDirectories(settings.directory().resolve(name),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + settings.port());
    }

    /** Returns the folder that contains a folder per bucket. */
    public Path directory() {
        return settings.directory();
    }

    public long pid() {
        return running().pid();
    }

    @Override
    public void close() {
        stop();
    }

    private ChildProcess running() {
        if (process == null) {
            throw new IllegalStateException("the S3 server is stopped");
        }
        return process;
    }

    private List<String> command() throws IOException {
        Path library = settings.root().resolve("local/storage/target/lib");
        if (!Files.isDirectory(library)) {
            throw new IOException(library + " is missing: build the module local/storage first");
        }
        // Not in the log folder: the file contains the secret key.
        Path work = settings.directory().toAbsolutePath().resolveSibling("s3-server");
        Files.createDirectories(work);
        Path configuration = work.resolve(settings.port() + ".properties");
        writeConfiguration(configuration);
        // The default log level is debug, which slows the server down considerably.
        Path logging = Files.writeString(work.resolve("logback.xml"), """
                <configuration>
                  <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
                    <encoder><pattern>%d %-5level %logger{20} %msg%n</pattern></encoder>
                  </appender>
                  <root level="WARN"><appender-ref ref="out"/></root>
                </configuration>
                """);
        return List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m", "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Dlogback.configurationFile=" + logging, "-cp", library + "/*",
                "org.gaul.s3proxy.Main", "--properties", configuration.toString());
    }

    private void writeConfiguration(Path file) throws IOException {
        Properties properties = new Properties();
        properties.setProperty("s3proxy.endpoint", endpoint().toString());
        properties.setProperty("s3proxy.authorization", "aws-v4");
        properties.setProperty("s3proxy.identity", settings.accessKeyId());
        properties.setProperty("s3proxy.credential", settings.secretAccessKey());
        // The server does not know the header of session tokens.
        properties.setProperty("s3proxy.ignore-unknown-headers", "true");
        if (host != null) {
            properties.setProperty("s3proxy.virtual-host", host);
        }
        properties.setProperty("jclouds.provider", "filesystem-nio2");
        properties.setProperty("jclouds.identity", "unused");
        properties.setProperty("jclouds.credential", "unused");
        properties.setProperty("jclouds.filesystem.basedir", settings.directory().toAbsolutePath().toString());
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try (OutputStream out = Files.newOutputStream(file)) {
            properties.store(out, null);
        }
    }

    private void awaitReady(ChildProcess started) throws IOException {
        long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
        while (System.nanoTime() < deadline) {
            if (!started.isAlive()) {
                throw new IOException("the server exited; see " + settings.logFile());
            }
            try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), settings.port())) {
                return;
            } catch (IOException _) {
                Wait.sleep(POLL_INTERVAL);
            }
        }
        throw new IOException("the server does not accept connections");
    }
}
