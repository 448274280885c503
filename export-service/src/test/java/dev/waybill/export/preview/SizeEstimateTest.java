package dev.waybill.export.preview;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.waybill.common.database.Database;
import dev.waybill.common.database.ReactiveDatabase;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.export.Traces;
import dev.waybill.export.job.ExportSpec;
import dev.waybill.export.parquet.Compression;
import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.parquet.ExportedSession;
import dev.waybill.export.parquet.FileSettings;
import dev.waybill.export.parquet.FormatVersion;
import dev.waybill.export.parquet.ParquetRunWriter;
import dev.waybill.export.parquet.WrittenFile;
import dev.waybill.export.run.FileLimits;
import dev.waybill.export.trace.ReadLimits;
import dev.waybill.export.trace.TraceQuery;
import dev.waybill.export.trace.TraceReader;
import dev.waybill.export.trace.TraceReaders;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.mutiny.Uni;

/**
 * Tests that the size of files is between half and twice the estimate, and within the likely range, for any distribution of
 * sizes.
 */
class SizeEstimateTest {

    private static final Instant MONDAY = Instant.parse("2026-01-05T00:00:00Z");
    private static final Duration DAY = Duration.ofDays(1);
    private static final int DAYS = 10;
    private static final long TOO_LARGE = 2 << 20;

    private final UUID tenant = UUID.randomUUID();
    private final UUID session = UUID.randomUUID();
    private final SmallRyeConfig config = new SmallRyeConfigBuilder().addDiscoveredConverters()
            .withMapping(PreviewConfig.class)
            .withDefaultValue("waybill.export.preview.timeout", "10m")
            .build();
    private final PreviewConfig preview = config.getConfigMapping(PreviewConfig.class);
    private final FileLimits limits = new FileLimits(TOO_LARGE, 64 << 20, 256 << 20);
    private final TraceReader traces = TraceReaders.reader();
    private final Blocking blocking = new Blocking();
    private final Database database = new ReactiveDatabase(TestDatabase.get(), "waybill_export").database();

    @BeforeAll
    static void migrate() {
        TestDatabase.get().migrate("experiment-service");
        TestDatabase.get().migrate("export-service");
    }

    @Tag("full")
    @Tag("long")
    @ParameterizedTest
    @EnumSource(Shape.class)
    void bytesAreEstimatedWithinAFactorOfTwo(Shape shape) throws Exception {
        shape.store(tenant, session);

        assertEstimated(FormatVersion.V1, Compression.GZIP);
        assertEstimated(FormatVersion.V2_BETA, Compression.ZSTANDARD);
        assertEstimated(FormatVersion.V2_BETA, Compression.NONE);
    }

    @Test
    void runsToBeTruncatedAreCounted() {
        Shape.ONE_LARGE_DAY.store(tenant, session);
        Traces.execute("UPDATE trace.runs SET outputs = repeat('x', ?) WHERE id IN (SELECT id FROM trace.runs"
                + " WHERE session_id = ? ORDER BY start_time LIMIT 2)", (int) TOO_LARGE + 1, session);

        assertThat(counted(order(FormatVersion.V1, Compression.GZIP, null)).truncatedRows()).isEqualTo(2);
        assertThat(counted(order(FormatVersion.V1, Compression.GZIP, List.of("id", "inputs"))).truncatedRows()).isZero();
    }

    private void assertEstimated(FormatVersion version, Compression compression) throws Exception {
        ExportSpec order = order(version, compression, null);
        RunSampler sampler = new RunSampler(blocking, traces, preview, limits, "1.2.3");
        RangeStatistics counted = counted(order);
        Optional<ByteEstimate> found = await(new BlockSampler(blocking, traces, sampler, preview)
                .sample(order, exportedSession(), counted.groups())
                .map(samples -> ByteEstimate.of(counted.groups(), samples, counted.days(), compression != Compression.NONE,
                        limits.maxRowGroupBytes() / 2.0)));
        long written = written(order);
        ByteEstimate estimate = found.orElseThrow();
        String what = version + " " + compression + ": " + estimate + ", written " + written;

        assertThat(counted.rows()).as(what).isEqualTo(new RowCount(Shape.RUNS, true));
        assertThat(written).as(what).isBetween(estimate.bytes() / 2, estimate.bytes() * 2);
        assertThat(written).as(what).isBetween(estimate.low(), estimate.high());
    }

    private RangeStatistics counted(ExportSpec order) {
        return await(new RunCounter(database, new PreviewRepository(), preview, limits).count(tenant, order)).orElseThrow();
    }

    /** Returns the size of the files that the export would write, day by day. */
    private long written(ExportSpec order) throws Exception {
        ExportSchema schema = ExportSchema.named(null, order.version());
        FileSettings settings = new FileSettings(order.compression(), "1.2.3", limits.maxFileBytes(), limits.maxRowGroupBytes(),
                Map.of());
        long bytes = 0;
        for (int day = 0; day < DAYS; day++) {
            Instant start = MONDAY.plus(DAY.multipliedBy(day));
            var query = new TraceQuery(tenant, session, start, start.plus(DAY), schema.sources(), null,
                    ReadLimits.of(DAY, limits.maxRowBytes()));
            try (var writer = new ParquetRunWriter(schema, exportedSession(), settings,
                    index -> OutputStream.nullOutputStream())) {
                long rows = traces.read(query, () -> false, writer).rows();
                bytes += writer.finish(rows).stream().mapToLong(WrittenFile::bytes).sum();
            }
        }
        return bytes;
    }

    private ExportSpec order(FormatVersion version, Compression compression, @Nullable List<String> fields) {
        return new ExportSpec(tenant, session, MONDAY, MONDAY.plus(DAY.multipliedBy(DAYS)), null, version, compression, fields,
                null);
    }

    private ExportedSession exportedSession() {
        return new ExportedSession(tenant, session, "session");
    }

    private static <T> T await(Uni<T> uni) {
        return uni.await().atMost(Duration.ofMinutes(10));
    }

    /** Distributions of sizes over the range; n is the number of a run, starting with 0, in order of start time. */
    private enum Shape {
        /** Six runs of a megabyte, half of which are highly compressible. */
        FEW_HUGE("n * 280", "CASE WHEN n % 500 = 250 THEN CASE WHEN n % 1000 = 250 THEN repeat('a', 1000000)"
                + " ELSE text(n, 30000) END ELSE text(n, 10) END"),
        ONE_LARGE_DAY("CASE WHEN n < 200 THEN n * 2000 ELSE 432000 + n * 20 END", "text(n, 60)"),
        INCREASING("n * 280", "text(n, n / 12 + 1)"),
        DECREASING("n * 280", "text(n, (3000 - n) / 12 + 1)"),
        /** 40 texts that repeat. */
        REPEATED("n * 280", "text(n * 7919 % 40, 120)"),
        /** The first runs are not representative. */
        COMPRESSIBLE_FIRST("n * 280", "CASE WHEN n < 12 THEN repeat('a', 1500000) ELSE text(n, 20) END"),
        LARGE_LAST("n * 280", "CASE WHEN n > 2700 THEN text(n, 1500) ELSE text(n, 4) END");

        private static final int RUNS = 3_000;

        private final String second;
        private final String inputs;

        Shape(String second, String inputs) {
            this.second = second;
            this.inputs = inputs;
        }

        void store(UUID tenant, UUID session) {
            TestDatabase.get().makeRunPartitions(MONDAY, MONDAY.plus(DAY.multipliedBy(DAYS)));
            // text(n, k): k times 32 incompressible bytes, the same for the same n.
            String text = inputs.replaceAll("text\\(((?:[^(),]|\\([^()]*\\))+), ((?:[^(),]|\\([^()]*\\))+)\\)",
                    "(SELECT string_agg(md5(($1) || '/' || i), '') FROM generate_series(1, $2) AS i)");
            Traces.execute(
                    """
                            INSERT INTO trace.runs (tenant_id, id, session_id, start_time, end_time, trace_id, name, run_type, status,
                                dotted_order, inputs, outputs)
                            SELECT ?, made.id, ?, ?::timestamptz + (%s) * interval '1 second', now(), made.id, 'step', 'chain', 'success',
                                'x' || made.id, '{"text": "' || %s || '"}', '{}'
                            FROM (SELECT gen_random_uuid() AS id, n FROM generate_series(0, %s) AS n) AS made
                            """
                            .formatted(second, text, RUNS - 1),
                    tenant, session,
                    MONDAY.atOffset(ZoneOffset.UTC));
        }
    }
}
