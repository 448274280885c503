package dev.waybill.common.testing;

import java.nio.file.Path;
import java.util.Map;

import dev.waybill.local.storage.FreePort;
import dev.waybill.local.storage.S3Server;
import dev.waybill.local.storage.S3Settings;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;

/**
 * Provides an S3 server with one bucket to a service under test. {@code waybill.test.s3.*} contains its address and keys; a
 * field of type {@link S3Server} in the test class is injected, for tests that stop or pause it.
 */
public final class S3Resource implements QuarkusTestResourceLifecycleManager {

    private static final String BUCKET = "exports";
    private static final String ACCESS_KEY_ID = "test-key-id";
    private static final String SECRET_ACCESS_KEY = "test-secret-access-key";

    private S3Server server;

    /** Starts a server for a test without Quarkus, which must close it. */
    public static S3Server startServer() {
        return withBucket(S3Server.start(settings()));
    }

    /** Like {@link #startServer}, with buckets also as subdomains of {@code host}. */
    public static S3Server startServerAt(String host) {
        return withBucket(S3Server.startAt(host, settings()));
    }

    private static S3Settings settings() {
        Path target = Path.of("target").toAbsolutePath();
        int port = FreePort.find();
        return new S3Settings(TestDatabase.root(), target.resolve("s3-" + port), target.resolve("s3-" + port + ".log"), port,
                ACCESS_KEY_ID, SECRET_ACCESS_KEY, false);
    }

    private static S3Server withBucket(S3Server started) {
        started.createBucket(BUCKET);
        return started;
    }

    @Override
    public Map<String, String> start() {
        server = startServer();
        return values(server);
    }

    /** Returns the settings that {@link #start} passes to a service. */
    public static Map<String, String> values(S3Server server) {
        return Map.of(
                "waybill.test.s3.endpoint", server.endpoint().toString(),
                "waybill.test.s3.access-key-id", ACCESS_KEY_ID,
                "waybill.test.s3.secret-access-key", SECRET_ACCESS_KEY,
                "waybill.test.s3.bucket", BUCKET);
    }

    @Override
    public void inject(TestInjector testInjector) {
        testInjector.injectIntoFields(server, field -> field.getType() == S3Server.class);
    }

    @Override
    public void stop() {
        if (server != null) {
            server.close();
        }
    }
}
