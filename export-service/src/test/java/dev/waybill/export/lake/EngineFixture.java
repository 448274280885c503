package dev.waybill.export.lake;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.export.lake.LakeWorkspace.DAY;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.eclipse.microprofile.config.ConfigProvider;

import dev.waybill.common.testing.TestDatabase;
import dev.waybill.export.Bucket;
import dev.waybill.export.Traces;
import dev.waybill.export.lake.iceberg.EngineCatalog;

/**
 * A workspace whose table engines read.
 *
 * @param engine the catalog with the role that an engine uses
 */
record EngineFixture(Bucket bucket, LakeWorkspace workspace, EngineCatalog engine) implements AutoCloseable {

    static EngineFixture create() {
        LakeWorkspace workspace = LakeWorkspace.create();
        return new EngineFixture(new Bucket(), workspace,
                EngineCatalog.reader(workspace.store(), Bucket.name(), workspace.tenantId()));
    }

    /** Waits until the files of the last days are valid. */
    void compact(int days) {
        await().untilAsserted(() -> {
            LakeWorkspace.planNow();
            for (int day = 0; day < days; day++) {
                assertThat(workspace.isValid(DAY.minusDays(day))).isTrue();
            }
        });
    }

    /** Returns the location of the table's present metadata. */
    String metadataLocation() {
        return (String) Traces.query("SELECT metadata_location FROM lake_catalog.iceberg_tables WHERE table_namespace = ?",
                engine.role());
    }

    /** Executes a program that finds catalog and bucket in its environment; returns the lines of its output. */
    List<String> execute(String engineName, List<String> command) throws IOException, InterruptedException {
        Path log = Path.of("target", engineName + ".log");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
        builder.environment().putAll(environment());
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(() -> read(log)).isZero();
        return output.lines().toList();
    }

    private Map<String, String> environment() {
        String url = TestDatabase.get().url();
        return Map.of("LAKE_CATALOG_URI", url + (url.contains("?") ? "&" : "?") + "currentSchema=lake_catalog",
                "LAKE_CATALOG_USER", engine.role(), "LAKE_CATALOG_PASSWORD", EngineCatalog.PASSWORD,
                "LAKE_WAREHOUSE", "s3://" + Bucket.name(), "LAKE_S3_ENDPOINT", Bucket.endpoint().toString(),
                "AWS_REGION", "us-east-1", "AWS_ACCESS_KEY_ID", setting("access-key-id"),
                "AWS_SECRET_ACCESS_KEY", setting("secret-access-key"));
    }

    private static String setting(String key) {
        return ConfigProvider.getConfig().getValue("waybill.test.s3." + key, String.class);
    }

    private static String read(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        engine.close();
        bucket.close();
    }
}
