package dev.waybill.experiment.lake;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.net.TrustedAuthorities;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.common.testing.ParquetRuns;
import dev.waybill.common.testing.Patience;
import dev.waybill.common.testing.S3Resource;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.experiment.Rows;
import dev.waybill.local.storage.S3Server;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.arc.Arc;
import io.smallrye.config.SmallRyeConfigBuilder;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** A lake in an S3 server of its own, whose days the test compacts with DuckDB, and a reader of it. */
public final class LakeFixture implements AutoCloseable {

    private static final String SCHEMA = """
            CREATE SCHEMA IF NOT EXISTS lake;
            CREATE TABLE IF NOT EXISTS lake.compactions (tenant_id uuid, day date, state text, snapshot text, rows bigint,
                bytes bigint, compacted_at timestamptz, PRIMARY KEY (tenant_id, day));
            CREATE TABLE IF NOT EXISTS lake.files (tenant_id uuid, day date, index int, key text, rows bigint, bytes bigint,
                min_start timestamptz, max_start timestamptz, PRIMARY KEY (tenant_id, day, key));
            GRANT USAGE ON SCHEMA lake TO waybill_experiment;
            GRANT SELECT ON lake.compactions, lake.files TO waybill_experiment""";

    private final S3Server server = S3Resource.startServer();
    private final Map<String, String> access = S3Resource.values(server);
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final Path directory;
    private final S3AsyncClient client;
    private final LakeReader reader;

    /** @param directory of the cache and of files before their upload */
    public LakeFixture(Path directory) {
        this.directory = directory;
        Rows.value(SCHEMA);
        client = S3AsyncClient.builder()
                .endpointOverride(URI.create(setting("endpoint")))
                .forcePathStyle(true)
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(setting("access-key-id"), setting("secret-access-key"))))
                .build();
        LakeConfig config = new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(LakeConfig.class)
                .withDefaultValues(Map.of("waybill.lake.bucket", setting("bucket"), "waybill.lake.endpoint-url",
                        setting("endpoint"), "waybill.lake.access-key-id", setting("access-key-id"),
                        "waybill.lake.secret-access-key", setting("secret-access-key"), "waybill.lake.cache.directory",
                        directory.resolve("cache").toString()))
                .build()
                .getConfigMapping(LakeConfig.class);
        reader = new LakeReader(config, new LakeRepository(), new LakeMetrics(metrics), bean(Blocking.class),
                bean(TrustedAuthorities.class));
    }

    /** Returns the reader of the lake. */
    public LakeReader reader() {
        return reader;
    }

    /** Returns the value of a counter of the reader. */
    public double count(String name, String... tags) {
        return metrics.counter(name, tags).count();
    }

    /** Compacts a day and returns the key of its object. */
    public String compact(UUID tenantId, LocalDate day) throws Exception {
        Rows.value("INSERT INTO trace.lake_days VALUES (?, ?) ON CONFLICT DO NOTHING", tenantId, day);
        String barrier = Rows.value("SELECT pg_snapshot_xmax(pg_current_snapshot())");
        Patience.await().until(
                () -> "t".equals(Rows.value("SELECT pg_snapshot_xmin(pg_current_snapshot()) >= ?::xid8", barrier)));
        Path file = directory.resolve(UUID.randomUUID() + ".parquet");
        String snapshot;
        long rows;
        try (Connection connection = TestDatabase.get().superuser()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            snapshot = Rows.value(connection, "SELECT pg_current_snapshot()::text");
            rows = ParquetRuns.write(connection, tenantId, day, file);
        }
        String key = key(tenantId, day);
        put(key, Files.readAllBytes(file));
        record(tenantId, day, snapshot, key, rows, Files.size(file));
        Files.delete(file);
        return key;
    }

    /** Returns a new key of an object of a day. */
    public static String key(UUID tenantId, LocalDate day) {
        return "lake/runs/tenant_id=" + tenantId + "/day=" + day + "/" + UUID.randomUUID() + "-0.parquet";
    }

    private void record(UUID tenantId, LocalDate day, String snapshot, String key, long rows, long bytes) throws SQLException {
        try (Connection connection = TestDatabase.get().superuser()) {
            connection.setAutoCommit(false);
            execute(connection, "DELETE FROM lake.files WHERE tenant_id = ? AND day = ?", tenantId, day);
            execute(connection, """
                    INSERT INTO lake.compactions (tenant_id, day, state, snapshot, rows) VALUES (?, ?, 'compacted', ?, ?)
                    ON CONFLICT (tenant_id, day) DO UPDATE SET state = 'compacted', snapshot = EXCLUDED.snapshot""", tenantId,
                    day,
                    snapshot, rows);
            execute(connection, "INSERT INTO lake.files (tenant_id, day, index, key, rows, bytes) VALUES (?, ?, 0, ?, ?, ?)",
                    tenantId, day, key, rows, bytes);
            connection.commit();
        }
        Rows.value(
                "DELETE FROM trace.lake_changes WHERE tenant_id = ? AND day = ? AND pg_visible_in_snapshot(xid, ?::pg_snapshot)",
                tenantId, day, snapshot);
    }

    private static void execute(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }

    /** Stores an object. */
    public void put(String key, byte[] content) {
        client.putObject(request -> request.bucket(setting("bucket")).key(key), AsyncRequestBody.fromBytes(content)).join();
    }

    /** Deletes an object. */
    public void delete(String key) {
        client.deleteObject(request -> request.bucket(setting("bucket")).key(key)).join();
    }

    /** Forgets all days. */
    public static void clear() {
        Rows.value(SCHEMA);
        Rows.value("TRUNCATE lake.compactions, lake.files, trace.lake_days, trace.lake_changes");
    }

    private String setting(String name) {
        @Nullable
        String value = access.get("waybill.test.s3." + name);
        return value == null ? "" : value;
    }

    private static <T> T bean(Class<T> type) {
        return Arc.container().instance(type).get();
    }

    @Override
    public void close() {
        reader.close();
        client.close();
        server.close();
        clear();
    }
}
