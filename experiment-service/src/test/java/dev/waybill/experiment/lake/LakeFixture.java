package dev.waybill.experiment.lake;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.lake.IndexFormat;
import dev.waybill.common.lake.TextIndexWriter;
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
                bytes bigint, compacted_at timestamptz, cluster bigint, PRIMARY KEY (tenant_id, day));
            CREATE TABLE IF NOT EXISTS lake.files (tenant_id uuid, day date, index int, key text, rows bigint, bytes bigint,
                min_start timestamptz, max_start timestamptz, index_bytes bigint, index_version int, has_latency boolean,
                PRIMARY KEY (tenant_id, day, key));
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

    /**
     * Compacts a day, with a text index whose blocks have up to three rows, and returns the key of its object. Files of odd
     * days
     * have no latencies, as those of earlier releases.
     */
    public String compact(UUID tenantId, LocalDate day) throws Exception {
        Rows.value("INSERT INTO trace.lake_days VALUES (?, ?) ON CONFLICT DO NOTHING", tenantId, day);
        String barrier = Rows.value("SELECT pg_snapshot_xmax(pg_current_snapshot())");
        Patience.await().until(
                () -> "t".equals(Rows.value("SELECT pg_snapshot_xmin(pg_current_snapshot()) >= ?::xid8", barrier)));
        Path file = directory.resolve(UUID.randomUUID() + ".parquet");
        boolean hasLatency = day.getDayOfMonth() % 2 == 0;
        String snapshot;
        long rows;
        try (Connection connection = TestDatabase.get().superuser()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            snapshot = Rows.value(connection, "SELECT pg_current_snapshot()::text");
            rows = ParquetRuns.write(connection, tenantId, day, file, hasLatency);
        }
        String key = key(tenantId, day);
        put(key, Files.readAllBytes(file));
        byte[] index = index(file);
        put(IndexFormat.key(key), index);
        record(tenantId, day, snapshot, key, rows, Files.size(file));
        Rows.value("UPDATE lake.files SET index_bytes = ?, index_version = ?, has_latency = ? WHERE key = ?", index.length,
                IndexFormat.VERSION, hasLatency, key);
        Files.delete(file);
        return key;
    }

    private static byte[] index(Path file) throws SQLException, IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        TextIndexWriter writer = new TextIndexWriter(content);
        try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duckDb.createStatement();
                ResultSet rows = statement.executeQuery("SELECT name, error, array_to_string(tags, chr(10)), inputs, outputs,"
                        + " metadata FROM read_parquet('" + file + "', file_row_number = true) ORDER BY file_row_number")) {
            for (int row = 1; rows.next(); row++) {
                for (int column = 1; column <= 6; column++) {
                    byte[] text = Optional.ofNullable(rows.getString(column)).orElse("").getBytes(StandardCharsets.UTF_8);
                    if (column <= 3) {
                        writer.addText(text, 0, text.length);
                    } else {
                        writer.addDocument(text, 0, text.length);
                    }
                }
                writer.endRow();
                if (row % 3 == 0) {
                    writer.endBlock();
                }
            }
        }
        writer.finish(Files.size(file));
        return content.toByteArray();
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
                    INSERT INTO lake.compactions (tenant_id, day, state, snapshot, rows, cluster)
                    SELECT ?, ?, 'compacted', ?, ?, system_identifier FROM pg_control_system()
                    ON CONFLICT (tenant_id, day) DO UPDATE
                    SET state = 'compacted', snapshot = EXCLUDED.snapshot, cluster = EXCLUDED.cluster""", tenantId, day,
                    snapshot, rows);
            execute(connection, """
                    INSERT INTO lake.files (tenant_id, day, index, key, rows, bytes, min_start, max_start)
                    SELECT ?, ?, 0, ?, ?, ?, coalesce(min(start_time), 'epoch'), coalesce(max(start_time), 'epoch')
                    FROM trace.runs WHERE tenant_id = ? AND (start_time AT TIME ZONE 'UTC')::date = ?""",
                    tenantId, day, key, rows, bytes, tenantId, day);
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
