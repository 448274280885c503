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
 * One S3 server that checks version 4 signatures, in a process of its own because its many jars must never be on a service's
 * class
 * path. It can be stopped, started again and paused, for tests of faults.
 */
public final class S3Server implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofMinutes(3);

    private final S3Settings settings;
    private final @Nullable String host;
    private @Nullable ChildProcess process;

    private S3Server(S3Settings settings, @Nullable String host) {
        this.settings = settings;
        this.host = host;
    }

    /** Returns when the server answers. */
    public static S3Server start(S3Settings settings) {
        return started(new S3Server(settings, null));
    }

    /** As {@link #start(S3Settings)}, but buckets are also names below {@code host}, which must lead here. */
    public static S3Server startAt(String host, S3Settings settings) {
        return started(new S3Server(settings, host));
    }

    private static S3Server started(S3Server server) {
        server.start();
        return server;
    }

    /** Starts again after {@link #stop}, on the same port and directory. */
    public void start() {
        try {
            Files.createDirectories(settings.directory());
            // Keys are file names, which Java encodes as the locale says.
            ChildProcess started = ChildProcess.start(command(), Map.of("LC_ALL", "C.UTF-8"), settings.logFile(),
                    settings.detached());
            process = started;
            awaitAnswer(started);
        } catch (IOException e) {
            throw new UncheckedIOException("the S3 server could not be started on port " + settings.port(), e);
        }
    }

    /** Ends it as a crash would. */
    public void stop() {
        if (process != null) {
            process.kill();
        }
        process = null;
    }

    /** Connections stay open and nothing answers, until {@link #resume}. */
    public void pause() {
        running().pause();
    }

    public void resume() {
        running().resume();
    }

    /** Does nothing when the bucket is there. */
    public void createBucket(String name) {
        try {
            // The server takes a folder that everybody may read for a public bucket.
            Files.createDirectories(settings.directory().resolve(name),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + settings.port());
    }

    /** @return the folder whose folders are the buckets */
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
        // Beside the data and not the logs: the secret stands in it.
        Path work = settings.directory().toAbsolutePath().resolveSibling("s3-server");
        Files.createDirectories(work);
        Path configuration = work.resolve(settings.port() + ".properties");
        writeConfiguration(configuration);
        // Its own logging default is debug, which makes it crawl.
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
        // A session token is a header that it does not know.
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

    private void awaitAnswer(ChildProcess started) throws IOException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (System.nanoTime() < deadline) {
            if (!started.isAlive()) {
                throw new IOException("it ended at once; its words are in " + settings.logFile());
            }
            try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), settings.port())) {
                return;
            } catch (IOException _) {
                pauseBriefly();
            }
        }
        stop();
        throw new IOException("it does not answer");
    }

    private static void pauseBriefly() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
