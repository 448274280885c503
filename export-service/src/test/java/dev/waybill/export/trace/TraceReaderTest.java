package dev.waybill.export.trace;

import static dev.waybill.common.testing.Patience.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigDecimal;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

import dev.waybill.common.filter.FilterParser;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.export.Traces;

class TraceReaderTest {

    private static final Instant DAY = Instant.parse("2026-02-20T00:00:00Z");
    private static final Instant NEXT_DAY = Instant.parse("2026-02-21T00:00:00Z");
    private static final ReadLimits LIMIT = ReadLimits.of(Duration.ofMinutes(10), 1 << 20);
    private static final String PROBE = "waybill-export-reader-test";

    private final UUID tenant = UUID.randomUUID();
    private final UUID session = UUID.randomUUID();

    @BeforeAll
    static void migrate() {
        TestDatabase.get().migrate("experiment-service");
        TestDatabase.get().migrate("export-service");
    }

    @Test
    void textsOfRowAboveTheLimitAreReplaced() throws Exception {
        insert(tenant, session, DAY);
        UUID large = insert(tenant, session, DAY.plusSeconds(1));
        fill(large, LIMIT.maxRowBytes());
        assertThat(texts(large)).containsEntry(RunColumn.OUTPUTS, "yyyyyyyyyy").doesNotContainKey(RunColumn.TRUNCATED);
        fill(large, LIMIT.maxRowBytes() + 1);

        Map<RunColumn, String> read = texts(large);

        assertThat(read).containsEntry(RunColumn.INPUTS, truncated("x".repeat((int) LIMIT.maxRowBytes() - 9)))
                .containsEntry(RunColumn.OUTPUTS, truncated("y".repeat(10)))
                .containsEntry(RunColumn.NAME, "")
                .containsKey(RunColumn.TRUNCATED)
                .doesNotContainKey(RunColumn.ERROR);
    }

    @ParameterizedTest
    @EnumSource(value = RunColumn.class, names = { "NAME", "ERROR", "EVENTS", "EXTRA", "METADATA" })
    void anyTextAboveTheLimitIsReplaced(RunColumn column) throws Exception {
        UUID large = insert(tenant, session, DAY);
        fill(large, 100);
        String text = "z\u00fc\ud834\udd1e".repeat((int) LIMIT.maxRowBytes() / 4);
        update(large, column.column() + " = repeat('z\u00fc\ud834\udd1e', " + LIMIT.maxRowBytes() / 4 + ")");

        Map<RunColumn, String> read = texts(large);

        assertThat(read).containsEntry(column, truncated(text)).containsEntry(RunColumn.OUTPUTS, truncated("y".repeat(10)));
    }

    @Test
    void smallOtherTextsAreNotReplaced() throws Exception {
        UUID large = insert(tenant, session, DAY);
        update(large, "events = repeat('e', " + LIMIT.maxRowBytes() + "), metadata = '{}', error = repeat('f', 60000)");

        Map<RunColumn, String> read = texts(large);

        assertThat(read).containsEntry(RunColumn.EVENTS, truncated("e".repeat((int) LIMIT.maxRowBytes())))
                .containsEntry(RunColumn.METADATA, "{}")
                .containsEntry(RunColumn.ERROR, "f".repeat(60000));
    }

    @Test
    void otherTextsRemainIfInputsAloneAreTooLarge() throws Exception {
        UUID large = insert(tenant, session, DAY);
        update(large, "inputs = repeat('i', " + 3 * LIMIT.maxRowBytes() + "), events = repeat('e', 100000)");

        assertThat(texts(large)).containsEntry(RunColumn.EVENTS, "e".repeat(100_000));
    }

    @Test
    void tagsAboveTheLimitAreReplaced() throws Exception {
        UUID large = insert(tenant, session, DAY);
        update(large, "tags = ARRAY[repeat('a', " + LIMIT.maxRowBytes() + "), NULL, 'b']");
        List<String> tags = new ArrayList<>();

        reader(dataSource()).read(query(tenant, session), () -> false, row -> row.elements(RunColumn.TAGS,
                (bytes, offset, length) -> tags.add(new String(bytes, offset, length, UTF_8))));

        assertThat(tags).containsExactly(truncated("a".repeat((int) LIMIT.maxRowBytes()) + "b"));
    }

    @Test
    void unselectedTextsDoNotCount() throws Exception {
        UUID large = insert(tenant, session, DAY);
        fill(large, 2 * LIMIT.maxRowBytes());
        List<Boolean> truncated = new ArrayList<>();

        reader(dataSource()).read(new TraceQuery(tenant, session, DAY, NEXT_DAY, Set.of(RunColumn.ID, RunColumn.NAME), null,
                LIMIT), () -> false, row -> truncated.add(row.isTruncated()));

        assertThat(truncated).containsExactly(false);
    }

    /** Conditions that PostgreSQL estimates as cheap and as expensive. */
    @ParameterizedTest
    @ValueSource(strings = { "eq(name, 'stored')", "search('stored')", "exists(feedback_key)", "exists(metadata_key, 'stored')",
            "and(eq(metadata_key, 'stored'), eq(metadata_value, 1))", "or(exists(metadata_key), exists(feedback_score))" })
    void filterReadsOriginalTextsOfTruncatedRows(String filter) throws Exception {
        UUID large = insert(tenant, session, DAY);
        fill(large, LIMIT.maxRowBytes() + 1);

        assertThat(ids(filtered(filter, LIMIT))).isEmpty();
        assertThat(ids(filtered("not(" + filter + ")", LIMIT))).containsExactly(large);
    }

    /** Returns the texts of one run that are not null. */
    private Map<RunColumn, String> texts(UUID run) throws Exception {
        Map<RunColumn, String> texts = new EnumMap<>(RunColumn.class);
        reader(dataSource()).read(query(tenant, session), () -> false, row -> {
            if (BinaryRows.id(row).equals(run)) {
                Stream.of(RunColumn.values())
                        .filter(column -> !row.isNull(column))
                        .forEach(column -> texts.put(column, text(row, column)));
            }
        });
        return texts;
    }

    private static String truncated(String text) throws Exception {
        byte[] bytes = text.getBytes(UTF_8);
        return "{\"waybill_truncated\": {\"bytes\": %s, \"sha256\": \"%s\"}}".formatted(bytes.length,
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)));
    }

    /** Updates a run to have {@code bytes} bytes of long text. */
    private static void fill(UUID run, long bytes) throws SQLException {
        update(run, "name = '', inputs = repeat('x', " + (bytes - 10) + "), outputs = repeat('y', 10)");
    }

    @Test
    void rangeIsHalfOpenAndOrdered() throws Exception {
        UUID first = insert(tenant, session, DAY);
        UUID last = insert(tenant, session, NEXT_DAY.minusNanos(1_000));
        insert(tenant, session, DAY.minusNanos(1_000));
        insert(tenant, session, NEXT_DAY);
        UUID middle = insert(tenant, session, DAY.plusSeconds(1));

        List<UUID> read = ids(query(tenant, session));

        assertThat(read).containsExactly(first, middle, last);
    }

    @Test
    void runsOfRemovedSessionsAreHidden() throws Exception {
        // Given
        insert(tenant, session, DAY);
        UUID other = UUID.randomUUID();
        UUID stays = insert(tenant, other, DAY);
        Traces.execute("INSERT INTO trace.session_removals (tenant_id, session_id) VALUES (?, ?)", tenant, session);

        // Then
        assertThat(ids(query(tenant, session))).isEmpty();
        assertThat(ids(query(tenant, other))).containsExactly(stays);
    }

    @Test
    void rangeOverMonthsIsReadOnceAndInOrder() throws Exception {
        Instant border = Instant.parse("2027-03-01T00:00:00Z");
        UUID next = insert(tenant, session, border);
        UUID last = insert(tenant, session, border.minusNanos(1_000));
        UUID later = insert(tenant, session, Instant.parse("2041-01-01T00:00:00Z"));
        UUID earlier = insert(tenant, session, Instant.parse("1999-12-31T00:00:00Z"));

        List<UUID> read = ids(
                query(tenant, session, Instant.parse("1990-01-01T00:00:00Z"), Instant.parse("2050-01-01T00:00:00Z")));

        assertThat(read).containsExactly(earlier, last, next, later);
    }

    @Test
    void dayIsReadByIndexFromItsPartitionOnly() throws Exception {
        Instant lastOfMonth = Instant.parse("2027-04-30T00:00:00Z");
        TestDatabase.get().makeRunPartitions(lastOfMonth, lastOfMonth.plus(Duration.ofDays(1)));

        assertThat(plan(query(tenant, session, lastOfMonth, lastOfMonth.plus(Duration.ofDays(1)))))
                .startsWith("Subquery Scan on sized ")
                .contains("One-Time Filter", "->  Index Scan using runs_2027_04_pkey on runs_2027_04 ")
                .doesNotContain("Append")
                .doesNotContain("runs_2027_05").doesNotContain("runs_before_2022");
        assertThat(plan(query(tenant, session, lastOfMonth, lastOfMonth.plus(Duration.ofDays(2)))))
                .containsSubsequence("->  Append", "->  Index Scan using runs_2027_04_pkey",
                        "->  Index Scan using runs_2027_05_pkey")
                .doesNotContain("runs_before_2022");
    }

    private static String plan(TraceQuery query) throws SQLException {
        String select = query.copyStatement().replaceFirst("(?s)^COPY \\((.*)\\) TO STDOUT.*$", "$1");
        try (Connection connection = TestDatabase.get().superuser()) {
            // A sequential scan of an empty table is cheaper than an index scan.
            try (PreparedStatement statement = connection.prepareStatement("SET enable_seqscan = off; SET enable_sort = off")) {
                statement.execute();
            }
            try (PreparedStatement statement = connection.prepareStatement("EXPLAIN " + select);
                    ResultSet lines = statement.executeQuery()) {
                StringBuilder plan = new StringBuilder();
                while (lines.next()) {
                    plan.append(lines.getString(1)).append('\n');
                }
                return plan.toString();
            }
        }
    }

    @Test
    void emptyRangeHasNoRows() throws Exception {
        assertThat(ids(query(tenant, session))).isEmpty();
    }

    @Test
    void otherSessionsAndWorkspacesAreNotRead() throws Exception {
        insert(tenant, UUID.randomUUID(), DAY);
        insert(UUID.randomUUID(), session, DAY);
        UUID own = insert(tenant, session, DAY);

        assertThat(ids(query(tenant, session))).containsExactly(own);
    }

    @Test
    void everyColumnIsReadExactly() throws Exception {
        UUID id = insert(tenant, session, DAY.plusNanos(123_456_000));
        update(id, """
                parent_run_ids = ARRAY['00000000-0000-0000-0000-000000000001']::uuid[], tags = ARRAY['a', NULL, 'ü'],
                total_cost = 123456789.000000001, prompt_cost = -0.5, total_tokens = 9223372036854775807,
                inputs = '{"x": "\\u0000"}', end_time = start_time + interval '1 microsecond'""");

        List<String> tags = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        reader(dataSource()).read(query(tenant, session), () -> false, row -> {
            row.elements(RunColumn.TAGS, (bytes, offset, length) -> tags.add(
                    length < 0 ? "null" : new String(bytes, offset, length, UTF_8)));
            values.addAll(List.of(row.billionths(RunColumn.TOTAL_COST), row.billionths(RunColumn.PROMPT_COST),
                    row.number(RunColumn.TOTAL_TOKENS), text(row, RunColumn.INPUTS),
                    row.micros(RunColumn.END_TIME) - row.micros(RunColumn.START_TIME), row.isNull(RunColumn.OUTPUTS)));
        });

        assertThat(tags).containsExactly("a", "null", "ü");
        assertThat(values).containsExactly(123_456_789_000_000_001L, -500_000_000L, Long.MAX_VALUE, "{\"x\": \"\\u0000\"}", 1L,
                true);
    }

    @Test
    void onlySelectedColumnsAreRead() throws Exception {
        UUID id = insert(tenant, session, DAY);
        update(id, "inputs = '{}'");

        reader(dataSource()).read(new TraceQuery(tenant, session, DAY, NEXT_DAY, Set.of(RunColumn.START_TIME), null, LIMIT),
                () -> false,
                row -> {
                    assertThat(row.isNull(RunColumn.INPUTS)).isTrue();
                    assertThat(row.isNull(RunColumn.START_TIME)).isFalse();
                });
    }

    @Test
    void stopEndsTheReadAndTheStatement() throws Exception {
        insertMany(2_000);

        assertThatThrownBy(() -> reader(dataSource()).read(query(tenant, session), new StopAfter(10), row -> {
        })).isInstanceOf(InterruptedException.class);
        await().until(() -> openStatements() == 0);
    }

    @Test
    void failingHandlerEndsTheReadAndTheStatement() throws Exception {
        insertMany(2_000);

        assertThatThrownBy(() -> reader(dataSource()).read(query(tenant, session), () -> false, row -> {
            throw new IOException("disk full");
        })).isInstanceOf(IOException.class).hasMessage("disk full");
        await().until(() -> openStatements() == 0);
    }

    @Test
    void lostConnectionFailsTheRead() throws Exception {
        insertMany(2_000);
        CompletableFuture<Long> result = new CompletableFuture<>();

        Thread.ofVirtual().start(() -> {
            try {
                result.complete(reader(dataSource()).read(query(tenant, session), () -> false, row -> endConnections()).rows());
            } catch (SQLException | IOException | InterruptedException e) {
                result.completeExceptionally(e);
            }
        });

        assertThat(result).failsWithin(Duration.ofMinutes(2)).withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(SQLException.class);
    }

    private static void endConnections() {
        try (Connection connection = TestDatabase.get().superuser();
                PreparedStatement end = connection.prepareStatement(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ?")) {
            end.setString(1, PROBE);
            end.execute();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void connectionIsReusableAfterAStoppedRead() throws Exception {
        insertMany(500);
        try (Connection connection = dataSource().getConnection()) {
            TraceReader reader = reader(new SingleConnectionDataSource(connection));
            assertThatThrownBy(() -> reader.read(query(tenant, session), new StopAfter(3), row -> {
            })).isInstanceOf(InterruptedException.class);

            assertThat(reader.read(query(tenant, session), () -> false, row -> {
            }).rows()).isEqualTo(500);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = { true, false })
    void interruptEndsABlockedRead(boolean isVirtual) throws Exception {
        insertMany(2_000);
        CountDownLatch reading = new CountDownLatch(1);
        CompletableFuture<Long> result = new CompletableFuture<>();
        Thread thread = threads(isVirtual).start(() -> {
            try {
                result.complete(reader(dataSource()).read(query(tenant, session), () -> false, row -> {
                    reading.countDown();
                    waitForInterrupt();
                }).rows());
            } catch (SQLException | IOException | InterruptedException e) {
                result.completeExceptionally(e);
            }
        });
        reading.await();

        thread.interrupt();

        assertThatThrownBy(result::get).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(InterruptedException.class);
    }

    @Test
    void statementTimeoutEndsASlowFilter() throws Exception {
        insertMany(2_000);
        TraceQuery endless = filtered("search('nowhere to be found')",
                new ReadLimits(Duration.ofMillis(1), 10, LIMIT.maxRowBytes()));

        assertThatThrownBy(() -> reader(dataSource()).read(endless, () -> false, row -> {
        })).isInstanceOf(SQLException.class).extracting("SQLState").isEqualTo("57014");
        await().until(() -> openStatements() == 0);
    }

    @Test
    void rowLimitIsRespected() throws Exception {
        insertMany(50);
        List<Long> starts = new ArrayList<>();

        long read = reader(dataSource()).read(
                filtered("eq(run_type, 'chain')", new ReadLimits(LIMIT.timeout(), 7, LIMIT.maxRowBytes())), () -> false,
                row -> starts.add(row.micros(RunColumn.START_TIME))).rows();

        assertThat(read).isEqualTo(7);
        assertThat(starts).isSorted().startsWith(DAY.plusSeconds(1).toEpochMilli() * 1_000);
    }

    @Test
    void filterSettingsEndWithTheTransaction() throws Exception {
        try (Connection connection = dataSource().getConnection()) {
            reader(new SingleConnectionDataSource(connection)).read(filtered("eq(name, 'x')", LIMIT), () -> false, row -> {
            });

            connection.setAutoCommit(true);
            try (PreparedStatement left = connection.prepareStatement("""
                    SELECT coalesce(current_setting('waybill.filter_1', true), '') || current_setting('statement_timeout')
                        || current_setting('client_connection_check_interval')""");
                    ResultSet settings = left.executeQuery()) {
                settings.next();
                assertThat(settings.getString(1)).isEqualTo("00");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = { true, false })
    void interruptEndsAReadWithoutRows(boolean isVirtual) throws Exception {
        CompletableFuture<Long> result = new CompletableFuture<>();
        try (Connection blocking = TestDatabase.get().superuser();
                PreparedStatement lock = blocking.prepareStatement("LOCK TABLE trace.sessions IN ACCESS EXCLUSIVE MODE")) {
            blocking.setAutoCommit(false);
            lock.execute();
            Thread thread = threads(isVirtual).start(() -> {
                try {
                    result.complete(reader(dataSource()).read(filtered("eq(session_name, 'x')", LIMIT), () -> false, row -> {
                    }).rows());
                } catch (SQLException | IOException | InterruptedException e) {
                    result.completeExceptionally(e);
                }
            });
            await().until(() -> openStatements() > 0);

            thread.interrupt();

            assertThatThrownBy(() -> result.get(2, TimeUnit.MINUTES)).hasCauseInstanceOf(InterruptedException.class);
            await().until(() -> openStatements() == 0);
            blocking.rollback();
        }
    }

    private TraceQuery filtered(String filter, ReadLimits limits) {
        return new TraceQuery(tenant, session, DAY, NEXT_DAY, EnumSet.allOf(RunColumn.class), FilterParser.parse(filter),
                limits);
    }

    @Test
    void timesBelowMicrosecondPrecisionAreRejected() {
        assertThatThrownBy(() -> new TraceQuery(tenant, session, DAY.plusNanos(1), NEXT_DAY, Set.of(RunColumn.ID), null, LIMIT))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static Thread.Builder threads(boolean areVirtual) {
        return areVirtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
    }

    private static void waitForInterrupt() throws IOException {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while writing", e);
        }
    }

    private List<UUID> ids(TraceQuery query) throws Exception {
        List<UUID> ids = new ArrayList<>();
        long read = reader(dataSource()).read(query, () -> false, row -> ids.add(BinaryRows.id(row))).rows();
        assertThat(read).isEqualTo(ids.size());
        return ids;
    }

    private static TraceQuery query(UUID tenant, UUID session) {
        return query(tenant, session, DAY, NEXT_DAY);
    }

    private static TraceQuery query(UUID tenant, UUID session, Instant from, Instant to) {
        return new TraceQuery(tenant, session, from, to, EnumSet.allOf(RunColumn.class), null, LIMIT);
    }

    private static TraceReader reader(DataSource dataSource) {
        return new TraceReader(dataSource);
    }

    private static PGSimpleDataSource dataSource() {
        var dataSource = new PGSimpleDataSource();
        dataSource.setUrl(TestDatabase.get().url());
        dataSource.setUser("waybill_export");
        dataSource.setPassword("test");
        dataSource.setApplicationName(PROBE);
        return dataSource;
    }

    private static String text(RunRow row, RunColumn column) {
        return new String(row.bytes(), row.offset(column), row.length(column), UTF_8);
    }

    private void insertMany(int count) throws SQLException {
        TestDatabase.get().makeRunPartitions(DAY, DAY.plusSeconds(count));
        try (Connection connection = TestDatabase.get().superuser();
                PreparedStatement insert = connection.prepareStatement(
                        """
                                INSERT INTO trace.runs (tenant_id, id, session_id, start_time, trace_id, name, run_type, status, dotted_order,
                                                        inputs)
                                SELECT ?, gen_random_uuid(), ?, ? + n * interval '1 second', gen_random_uuid(), 'n', 'chain', 'success', '',
                                       repeat(md5(n::text), 1000)
                                FROM generate_series(1, ?) AS n""")) {
            insert.setObject(1, tenant);
            insert.setObject(2, session);
            insert.setObject(3, DAY.atOffset(ZoneOffset.UTC));
            insert.setInt(4, count);
            insert.execute();
        }
    }

    private static UUID insert(UUID tenant, UUID session, Instant startTime) throws SQLException {
        UUID id = UUID.randomUUID();
        TestDatabase.get().makeRunPartitions(startTime, startTime);
        try (Connection connection = TestDatabase.get().superuser();
                PreparedStatement insert = connection.prepareStatement("""
                        INSERT INTO trace.runs (tenant_id, id, session_id, start_time, trace_id, name, run_type, status,
                                                dotted_order, total_cost)
                        VALUES (?, ?, ?, ?, ?, 'name', 'chain', 'success', '', ?)""")) {
            insert.setObject(1, tenant);
            insert.setObject(2, id);
            insert.setObject(3, session);
            insert.setObject(4, startTime.atOffset(ZoneOffset.UTC), Types.TIMESTAMP_WITH_TIMEZONE);
            insert.setObject(5, id);
            insert.setBigDecimal(6, new BigDecimal("0.1"));
            insert.execute();
        }
        return id;
    }

    private static void update(UUID id, String set) throws SQLException {
        try (Connection connection = TestDatabase.get().superuser();
                PreparedStatement update = connection.prepareStatement("UPDATE trace.runs SET " + set + " WHERE id = ?")) {
            update.setObject(1, id);
            update.execute();
        }
    }

    private static long openStatements() throws SQLException {
        try (Connection connection = TestDatabase.get().superuser();
                PreparedStatement count = connection.prepareStatement("""
                        SELECT count(*) FROM pg_stat_activity WHERE application_name = ? AND state <> 'idle'""")) {
            count.setString(1, PROBE);
            ResultSet result = count.executeQuery();
            result.next();
            return result.getLong(1);
        }
    }
}
