package dev.waybill.export.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;

import org.jboss.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.common.filter.ExtremeRuns;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.export.Duck;
import dev.waybill.export.trace.ReadLimits;
import dev.waybill.export.trace.SessionsQuery;
import dev.waybill.export.trace.TraceReaders;

/**
 * DuckDB skips no row group of the lake's files that contains a run that PostgreSQL finds: not by null counts, by bounds, which
 * are truncated, or by Bloom filters.
 */
class RowGroupFilterTest {

    private static final Logger LOG = Logger.getLogger(RowGroupFilterTest.class);
    private static final long SEED = Long.getLong("waybill.test.seed", System.nanoTime());
    private static final int FILTERS = Integer.getInteger("waybill.test.filters", 100);
    private static final int MANY_ROWS = 20_000;

    @TempDir
    Path folder;

    @Test
    void filtersFindRunsInSmallRowGroups() throws Exception {
        assertAgreement(5, 8 << 20, FILTERS);
    }

    @Test
    void filtersFindRunsInManyFiles() throws Exception {
        assertAgreement(40, 1, FILTERS);
    }

    @Test
    @Tag("full")
    @Tag("long")
    void manyFiltersFindRunsInRowGroupsOfEachSize() throws Exception {
        for (int rows : new int[] { 2, 8, 64, MANY_ROWS }) {
            assertAgreement(rows, 8 << 20, FILTERS);
        }
    }

    private void assertAgreement(int rowGroupRows, long fileBytes, int filters) throws Exception {
        LOG.infof("-Dwaybill.test.seed=%s reproduces this run", SEED);
        TestDatabase.get().migrate("experiment-service");
        TestDatabase.get().migrate("export-service");
        Path files = Path.of(folder.toString(), "rows-" + rowGroupRows);
        assertThat(files.toFile().mkdir()).isTrue();
        try (ExtremeRuns runs = new ExtremeRuns(SEED);
                Connection duckDb = Duck.connect();
                Statement statement = duckDb.createStatement()) {
            assertThat(write(files, rowGroupRows, fileBytes)).isEqualTo(runs.size());
            statement.execute("SET TimeZone = 'UTC'");
            statement.execute("CREATE VIEW runs AS FROM read_parquet('" + files
                    + "/*.parquet', hive_partitioning = false, union_by_name = true)");

            int selective = runs.requireAgreement(duckDb, filters);

            assertThat(selective).as("filters that match some but not all runs").isGreaterThan(filters / 5);
        }
    }

    // As DayWriter, except for the sizes.
    private static long write(Path folder, int rowGroupRows, long fileBytes) throws Exception {
        ExportSchema schema = ExportSchema.lake();
        long rowGroupBytes = Math.min(fileBytes, 8 << 20);
        var settings = new FileSettings(Compression.ZSTANDARD, "1.2.3", fileBytes, rowGroupBytes, rowGroupRows, Map.of());
        var query = new SessionsQuery(ExtremeRuns.TENANT, ExtremeRuns.DAY, ExtremeRuns.DAY.plus(1, ChronoUnit.DAYS),
                schema.sources(), ReadLimits.of(Duration.ofMinutes(10), 1 << 20));
        try (var writer = new ParquetRunWriter(schema, ExportedSession.several(ExtremeRuns.TENANT), settings,
                new ParquetFiles(folder))) {
            long read = TraceReaders.reader().read(query, () -> false, writer).rows();
            return writer.finish(read).stream().mapToLong(WrittenFile::rows).sum();
        }
    }
}
