package dev.waybill.experiment.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.common.filter.DuckDbCondition;
import dev.waybill.common.filter.FilterParser;
import dev.waybill.common.lake.TextIndex.RowRange;
import dev.waybill.experiment.lake.LakeQuery.RunPosition;

class DuckDbTest {

    private static final UUID TENANT = UUID.fromString("11111111-0000-4000-8000-000000000001");
    private static final UUID SESSION = UUID.fromString("11111111-0000-4000-8000-000000000002");
    private static final Instant DAY = Instant.parse("2026-02-26T00:00:00Z");

    @TempDir
    Path directory;
    @TempDir
    Path other;

    private DuckDb duckDb;

    @BeforeEach
    void open() throws SQLException {
        duckDb = new DuckDb(directory, 128L << 20, 2);
    }

    @AfterEach
    void close() throws SQLException {
        duckDb.close();
    }

    @Test
    void keysOfTheWorkspaceAreFoundInOrder() throws SQLException {
        Path mine = write(directory.resolve("it's mine.parquet"), TENANT, 1_000, "n");
        Path others = write(directory.resolve("others.parquet"), UUID.randomUUID(), 1_000, "n");

        List<RunPosition> found = duckDb.find(query("neq(name, \"x\")", true, Optional.empty(), 3),
                List.of(FileRows.all(mine), FileRows.all(others)),
                new RunningStatement());
        LakeQuery.Position last = new LakeQuery.Position(found.getLast().startTime(), found.getLast().id());
        List<RunPosition> next = duckDb.find(query("neq(name, \"x\")", true, Optional.of(last), 2),
                List.of(FileRows.all(mine), FileRows.all(others)),
                new RunningStatement());

        assertThat(found).extracting(RunPosition::id).containsExactly(id(999), id(998), id(997));
        assertThat(found.getFirst()).isEqualTo(new RunPosition(SESSION, DAY.plusSeconds(99), id(999)));
        assertThat(next).extracting(RunPosition::id).containsExactly(id(996), id(995));
    }

    @Test
    void onlySelectedRowsOfSeveralRowGroupsAreFound() throws SQLException {
        Path selected = write(directory.resolve("selected.parquet"), TENANT, 100_000, "n");
        Path whole = write(directory.resolve("whole.parquet"), TENANT, 3_000, "n");
        List<RowRange> ranges = List.of(new RowRange(0, 1), new RowRange(2_000, 2_100), new RowRange(6_143, 6_145),
                new RowRange(9_990, 10_000), new RowRange(20_000, 20_001), new RowRange(40_000, 40_002),
                new RowRange(60_000, 60_001), new RowRange(80_000, 80_001), new RowRange(99_990, 100_000));
        List<FileRows> files = List.of(new FileRows(selected, ranges), FileRows.all(whole));
        // Row groups with earlier runs are skipped.
        LakeQuery.Position after = new LakeQuery.Position(DAY.plusSeconds(205), id(2_050));

        List<RunPosition> all = duckDb.find(query("neq(name, \"x\")", false, Optional.empty(), 20_000), files,
                new RunningStatement());
        List<RunPosition> later = duckDb.find(query("neq(name, \"x\")", false, Optional.of(after), 20_000), files,
                new RunningStatement());

        assertThat(all).extracting(RunPosition::id).isEqualTo(Stream.concat(
                ranges.stream().flatMapToInt(range -> IntStream.range((int) range.first(), (int) range.end())).boxed(),
                IntStream.range(0, 3_000).boxed()).sorted().map(DuckDbTest::id).toList());
        assertThat(later).isEqualTo(all.stream().filter(run -> run.id().compareTo(after.id()) > 0).toList());
    }

    @Test
    void filesAreReadAfterTheMetadataOfOthersIsForgotten() throws SQLException {
        List<Path> files = List.of(write(directory.resolve("first.parquet"), TENANT, 10, "n"),
                write(directory.resolve("second.parquet"), TENANT, 20, "n"));

        try (DuckDb small = new DuckDb(directory, 128L << 20, 2, 1)) {
            for (int i = 0; i < 6; i++) {
                assertThat(small.find(query("neq(name, \"x\")", true, Optional.empty(), 100),
                        List.of(FileRows.all(files.get(i % 2))), new RunningStatement())).hasSize(i % 2 == 0 ? 10 : 20);
            }
            assertThatThrownBy(() -> small.find(query("neq(name, \"x\")", true, Optional.empty(), 3),
                    List.of(FileRows.all(write(other.resolve("outside.parquet"), TENANT, 10, "n"))), new RunningStatement()))
                    .isInstanceOf(SQLException.class).hasMessageContaining("Permission");
        }
    }

    @Test
    void filesOutsideOfTheCacheCannotBeRead() throws SQLException {
        Path outside = write(other.resolve("outside.parquet"), TENANT, 10, "n");

        assertThatThrownBy(
                () -> duckDb.find(query("neq(name, \"x\")", true, Optional.empty(), 3), List.of(FileRows.all(outside)),
                        new RunningStatement()))
                .isInstanceOf(SQLException.class).hasMessageContaining("Permission");
    }

    @Test
    @Tag("full")
    void runningStatementsAreCancelled() throws SQLException {
        Path file = write(directory.resolve("large.parquet"), TENANT, 40_000, "repeat(md5(i::VARCHAR), 300)");
        RunningStatement running = new RunningStatement();
        try (ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor()) {
            timer.schedule(running::cancel, 50, TimeUnit.MILLISECONDS);

            assertThatThrownBy(() -> {
                for (int i = 0; i < 1_000; i++) {
                    duckDb.find(query("search(\"unknown\")", true, Optional.empty(), 3), List.of(FileRows.all(file)), running);
                }
            }).isInstanceOf(SQLException.class);
        }
        assertThat(running.isCancelled()).isTrue();
    }

    private static LakeQuery query(String filter, boolean descending, Optional<LakeQuery.Position> after, int limit) {
        return new LakeQuery(TENANT, List.of(SESSION, UUID.randomUUID()),
                DuckDbCondition.of(List.of(FilterParser.parse(filter)), false).orElseThrow(), descending, DAY,
                DAY.plusSeconds(86_400),
                after,
                limit);
    }

    private static UUID id(int number) {
        return UUID.fromString(String.format(Locale.ROOT, "22222222-0000-4000-8000-%012d", number));
    }

    private static Path write(Path file, UUID tenant, int rows, String name) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("SET TimeZone = 'UTC'");
            statement.execute("""
                    COPY (SELECT '%s' AS tenant_id, '%s' AS session_id,
                            '22222222-0000-4000-8000-' || lpad(i::VARCHAR, 12, '0') AS id,
                            TIMESTAMPTZ '2026-02-26T00:00:00Z' + to_seconds(i // 10) AS start_time, %s AS name,
                            NULL::VARCHAR AS error, NULL::VARCHAR AS inputs, NULL::VARCHAR AS outputs, NULL::VARCHAR[] AS tags
                        FROM range(%s) AS numbers (i)) TO '%s' (FORMAT parquet, ROW_GROUP_SIZE 2048)"""
                    .formatted(tenant, SESSION, name.equals("n") ? "'n'" : name, rows, file.toString().replace("'", "''")));
        }
        return file;
    }
}
