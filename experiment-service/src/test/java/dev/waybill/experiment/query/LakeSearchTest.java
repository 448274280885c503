package dev.waybill.experiment.query;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.api.trace.RunResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.filter.FilterParser;
import dev.waybill.common.lake.IndexFormat;
import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestRun;
import dev.waybill.experiment.lake.LakeFixture;
import dev.waybill.experiment.lake.LakeReader;
import dev.waybill.experiment.query.RunQueryParser.RunQuery;
import dev.waybill.experiment.query.RunSearch.Limits;
import dev.waybill.experiment.query.RunSearch.Piece;
import dev.waybill.experiment.query.RunSearch.RunPage;
import dev.waybill.experiment.run.RunField;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;

/** Searches with a lake return the same pages as searches of PostgreSQL alone. */
@QuarkusTest
class LakeSearchTest {

    private static final LocalDate FIRST_DAY = LocalDate.of(2026, 2, 26);
    private static final DateTimeFormatter SEGMENT = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSSSSS'Z'")
            .withZone(ZoneOffset.UTC);
    private static final int DAYS = 6;
    private static final List<String> SESSIONS = List.of("one", "two");
    private static final List<String> NAMES = List.of("agent", "model", "Straße");
    private static final List<String> FILTERS = List.of("search(\"whale\")", "search(\"unknown\")", "eq(name, \"model\")",
            "has(tags, \"rare\")", "and(eq(metadata_key, \"k\"), gte(metadata_value, 8))",
            "and(eq(metadata_key, \"text\"), eq(metadata_value, \"v3\"))", "or(search(\"whale\"), has(tags, \"rare\"))",
            "gt(latency, \"5s\")", "neq(name, \"unknown\")", "not(search(\"whale\"))", "ilike(name, \"STRA%\")",
            "eq(is_root, true)");
    private static final Limits LIMITS = new Limits(Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(60),
            Duration.ofSeconds(60), 10);

    @Inject
    Database database;
    @Inject
    RunQueryRepository repository;
    @Inject
    LakeReader disabled;
    @TempDir
    Path directory;

    private final Account account = Accounts.account().create();
    private final List<String> runs = new ArrayList<>();
    private LakeFixture lake;

    @BeforeEach
    void startLake() {
        lake = new LakeFixture(directory);
    }

    @AfterEach
    void stopLake() {
        lake.close();
    }

    @Test
    void pagesEqualPostgreSqlBetweenWritesAndCompactions() throws Exception {
        assertPagesEqualPostgreSqlBetweenChanges(1, 60, 16);
    }

    @ParameterizedTest
    @ValueSource(longs = { 1, 2, 3 })
    @Tag("full")
    @Tag("long")
    void manyPagesEqualPostgreSqlBetweenChanges(long seed) throws Exception {
        assertPagesEqualPostgreSqlBetweenChanges(seed, 150, 60);
    }

    private void assertPagesEqualPostgreSqlBetweenChanges(long seed, int count, int steps) throws Exception {
        Random random = new Random(seed);
        store(random, count);
        for (int day = 0; day < DAYS; day++) {
            lake.compact(account.workspaceId(), FIRST_DAY.plusDays(day));
        }

        for (int i = 0; i < steps; i++) {
            switch (random.nextInt(8)) {
                case 0 -> store(random, 1 + random.nextInt(10));
                case 1 -> patch(random);
                case 2 -> Rows.value("DELETE FROM trace.runs WHERE tenant_id = ? AND id = ?::uuid", account.workspaceId(),
                        runs.remove(random.nextInt(runs.size())));
                case 3 -> damageIndex(random, lake.compact(account.workspaceId(), FIRST_DAY.plusDays(random.nextInt(DAYS))));
                default -> assertPagesEqualPostgreSql(random);
            }
        }

        assertThat(searchesIn("lake")).isGreaterThan(steps / 6.0);
    }

    // Files without a usable index are searched completely.
    private void damageIndex(Random random, String key) {
        String index = IndexFormat.key(key);
        switch (random.nextInt(8)) {
            case 0 -> lake.delete(index);
            case 1 -> lake.put(index, new byte[Math.toIntExact(Rows.count("SELECT index_bytes FROM lake.files WHERE key = ?",
                    key))]);
            case 2 -> lake.put(index, new byte[3]);
            case 3 -> Rows.value("UPDATE lake.files SET index_bytes = NULL, index_version = NULL WHERE key = ?", key);
            case 4 -> Rows.value("UPDATE lake.files SET index_version = index_version + 1 WHERE key = ?", key);
            default -> {
                // The index remains as it is.
            }
        }
    }

    @Test
    void filesWhoseIndexExcludesAllRunsAreNotFetched() throws Exception {
        store(new Random(9), 100);
        String key = lake.compact(account.workspaceId(), FIRST_DAY);
        lake.delete(key);
        RunQuery query = query(SESSIONS, null, null, "search(\"unknown\")", true, 5);
        LakeSearch search = new LakeSearch(lake.reader(), database, repository);
        LakeRange range = await(search.plan(account.workspaceId(), query))
                .rangeAfter(Optional.of(new RunCursor.RunKey(start(1), new UUID(0, 0))), Long.MAX_VALUE).orElseThrow();

        Optional<Piece> piece = piece(search, query, range);

        assertThat(piece).isPresent();
        assertThat(piece.orElseThrow().found().runs()).isEmpty();
        assertThat(lake.count("waybill.lake.fetch.failures")).isZero();
    }

    @Test
    void dayWithoutRunsDoesNotEndThePage() throws Exception {
        // Given
        store(new Random(10), 30);
        for (int day = 0; day <= DAYS; day++) {
            String key = lake.compact(account.workspaceId(), FIRST_DAY.plusDays(day));
            if (day == DAYS) {
                Rows.value("DELETE FROM lake.files WHERE key = ?", key);
            }
        }
        AtomicLong now = new AtomicLong();
        Limits limits = new Limits(LIMITS.firstAttempt(), LIMITS.piece(), Duration.ofSeconds(2), LIMITS.longest(), 10);
        RunSearch search = new RunSearch(database, repository, new LakeSearch(lake.reader(), database, repository), limits,
                () -> now.addAndGet(20_000_000));

        // When
        RunPage page = await(search.pageInPieces(account.workspaceId(),
                query(SESSIONS, null, null, "search(\"unknown\")", true, 5), true));

        // Then
        assertThat(page).isEqualTo(new RunPage(List.of(), Optional.empty(), Optional.empty()));
    }

    @Test
    void largeDayAfterExcludedOneIsSearchedInParts() throws Exception {
        Random random = new Random(11);
        store(IntStream.range(0, 40).mapToObj(i -> run(random, start(0).plusSeconds(2_000L * i), "a whale")).toList());
        store(List.of(run(random, start(1), "a fish")));
        lake.compact(account.workspaceId(), FIRST_DAY);
        lake.compact(account.workspaceId(), FIRST_DAY.plusDays(1));
        long bytes = Rows.count("SELECT bytes FROM lake.files WHERE day = ?", FIRST_DAY);

        List<UUID> found = pages(account.workspaceId(), query(SESSIONS, start(0), start(2), "search(\"whale\")", true, 100),
                lake.reader(), bytes / 100);

        assertThat(found).hasSize(40);
        assertThat(searchesIn("lake")).isEqualTo(3);
    }

    @Test
    @Tag("full")
    void dayThatChangesDuringSearchIsReadFromPostgreSql() throws Exception {
        Random random = new Random(5);
        store(random, 30);
        lake.compact(account.workspaceId(), FIRST_DAY);
        RunQuery query = query(List.of("one"), null, null, "search(\"whale\")", false, 5);
        LakeSearch search = new LakeSearch(lake.reader(), database, repository);
        LakePlan plan = await(search.plan(account.workspaceId(), query));
        LakeRange range = plan.rangeAfter(Optional.of(new RunCursor.RunKey(start(0), new UUID(0, 0))), Long.MAX_VALUE)
                .orElseThrow();
        assertThat(piece(search, query, range)).isPresent();

        Rows.value("UPDATE trace.runs SET name = 'whale' WHERE tenant_id = ? AND start_time < ?::timestamptz",
                account.workspaceId(),
                start(1).toString());

        assertThat(piece(search, query, range)).isEmpty();
        assertThat(await(search.plan(account.workspaceId(), query)).rangeAfter(Optional.of(range.end()), Long.MAX_VALUE))
                .isEmpty();
        assertThat(searchesIn("postgresql")).isEqualTo(1);
    }

    @Test
    @Tag("full")
    void missingAndBrokenFilesAreReadFromPostgreSql() throws Exception {
        Random random = new Random(6);
        store(random, 100);
        String missing = lake.compact(account.workspaceId(), FIRST_DAY);
        lake.delete(missing);
        String broken = lake.compact(account.workspaceId(), FIRST_DAY.plusDays(1));
        long size = Rows.count("SELECT bytes FROM lake.files WHERE key = ?", broken);
        lake.put(broken, new byte[Math.toIntExact(size)]);
        String truncated = lake.compact(account.workspaceId(), FIRST_DAY.plusDays(2));
        lake.put(truncated, new byte[3]);
        // Indexes would exclude some of the files.
        Rows.value("UPDATE lake.files SET index_bytes = NULL, index_version = NULL");

        for (int i = 0; i < 4; i++) {
            assertPagesEqualPostgreSql(random);
        }

        assertThat(lake.count("waybill.lake.fetch.failures")).isEqualTo(3);
        assertThat(searchesIn("lake")).isZero();
        assertThat(searchesIn("postgresql")).isPositive();
    }

    @Test
    void filesOfOtherWorkspacesAreNeverRead() throws Exception {
        Random random = new Random(7);
        store(random, 60);
        Account other = Accounts.account().create();
        lake.compact(account.workspaceId(), FIRST_DAY);
        // The other workspace has a record of the file.
        Rows.value("INSERT INTO trace.lake_days VALUES (?, ?)", other.workspaceId(), FIRST_DAY);
        Rows.value("INSERT INTO lake.compactions (tenant_id, day, state, snapshot, cluster)"
                + " SELECT ?, day, state, snapshot, cluster FROM lake.compactions", other.workspaceId());
        Rows.value("INSERT INTO lake.files SELECT ?, day, index, key, rows, bytes, min_start, max_start"
                + " FROM lake.files", other.workspaceId());
        RunQuery query = query(SESSIONS, null, null, "neq(name, \"unknown\")", true, 5);
        LakeSearch search = new LakeSearch(lake.reader(), database, repository);

        assertThat(await(search.plan(account.workspaceId(), query)).endBeforeLake(Optional.empty())).isPresent();
        assertThat(await(search.plan(other.workspaceId(), query)).endBeforeLake(Optional.empty())).isEmpty();
        assertThat(pages(other.workspaceId(), query, lake.reader())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            // Restored from a dump: transaction ids of this cluster would look older than the snapshot.
            "UPDATE lake.compactions SET cluster = cluster + 1, snapshot = '9000000000000000:9000000000000000:'",
            "UPDATE lake.compactions SET cluster = NULL",
            // The clock was set back, so changes of this day are not recorded. It does not end during the test.
            "UPDATE lake.compactions SET day = ((now() + interval '1 hour') AT TIME ZONE 'UTC')::date" })
    void daysThatDoNotRecordChangesAreReadFromPostgreSql(String change) throws Exception {
        store(new Random(9), 20);
        lake.compact(account.workspaceId(), FIRST_DAY);
        RunQuery query = query(SESSIONS, null, null, "neq(name, \"unknown\")", true, 5);
        LakeSearch search = new LakeSearch(lake.reader(), database, repository);
        Rows.value("INSERT INTO trace.lake_days VALUES (?, ((now() + interval '1 hour') AT TIME ZONE 'UTC')::date)",
                account.workspaceId());
        assertThat(await(search.plan(account.workspaceId(), query)).isEmpty()).isFalse();

        Rows.value(change);

        assertThat(await(search.plan(account.workspaceId(), query)).isEmpty()).isTrue();
    }

    @Test
    @Tag("full")
    void searchesThatFilesCannotAnswerReadPostgreSql() throws Exception {
        Random random = new Random(8);
        store(random, 20);
        lake.compact(account.workspaceId(), FIRST_DAY);
        LakeSearch search = new LakeSearch(lake.reader(), database, repository);

        for (String filter : List.of("eq(feedback_key, \"a\")", "eq(session_name, \"one\")",
                "and(search(\"whale\"), exists(feedback_score))", "not(eq(metadata_value, \"v3\"))")) {
            RunQuery query = query(SESSIONS, null, null, filter, true, 5);
            assertThat(await(search.plan(account.workspaceId(), query)).endBeforeLake(Optional.empty())).as(filter).isEmpty();
        }
        assertThat(disabled.isEnabled()).isFalse();
    }

    // Most days are searched in parts.
    private void assertPagesEqualPostgreSql(Random random) {
        Instant from = random.nextBoolean() ? null : start(random.nextInt(3)).plusSeconds(random.nextInt(2) * 3_600);
        Instant to = random.nextBoolean() ? null : start(3 + random.nextInt(4)).minusSeconds(random.nextInt(2) * 3_600);
        RunQuery query = query(SESSIONS.subList(0, 1 + random.nextInt(2)), from, to,
                FILTERS.get(random.nextInt(FILTERS.size())),
                random.nextInt(3) > 0, 1 + random.nextInt(12));

        assertThat(pages(account.workspaceId(), query, lake.reader(), 100L << random.nextInt(10))).as(query.toString())
                .isEqualTo(pages(account.workspaceId(), query, disabled));
    }

    private List<UUID> pages(UUID tenantId, RunQuery query, LakeReader reader) {
        return pages(tenantId, query, reader, LakePlan.PART_BYTES);
    }

    private List<UUID> pages(UUID tenantId, RunQuery query, LakeReader reader, long partBytes) {
        RunSearch search = new RunSearch(database, repository, new LakeSearch(reader, database, repository, partBytes), LIMITS,
                () -> 0);
        List<UUID> found = new ArrayList<>();
        Optional<RunCursor.RunKey> position = Optional.empty();
        do {
            RunPage page = await(
                    search.pageInPieces(tenantId, query.between(position, Optional.empty(), query.limit()), true));
            assertThat(page.runs()).hasSizeLessThanOrEqualTo(query.limit());
            assertThat(page.searchedUntil()).isEmpty();
            page.runs().stream().map(RunResponse::id).forEach(found::add);
            position = page.next();
        } while (position.isPresent());
        return found;
    }

    private Optional<Piece> piece(LakeSearch search, RunQuery query, LakeRange range) {
        return await(search.piece(account.workspaceId(), query, range, 1_000_000, 0, Duration.ofMinutes(1)));
    }

    private RunQuery query(List<String> names, @Nullable Instant from, @Nullable Instant to, String filter, boolean descending,
            int limit) {
        Function<String, UUID> id = name -> UUID
                .fromString(as(account).get("/sessions?name=" + name).path("[0].id"));
        return new RunQuery(
                new RunQueryParser.Conditions(names.stream().map(id).toList(), List.of(), null, null, List.of(), null,
                        null, null, from, to, List.of(FilterParser.parse(filter)), null, null),
                descending, limit,
                EnumSet.of(RunField.ID, RunField.START_TIME), Optional.empty());
    }

    private void store(Random random, int count) {
        store(IntStream.range(0, count).mapToObj(_ -> run(random)).toList());
    }

    private void store(List<Map<String, Object>> batch) {
        as(account).contentType("application/json").body(TestRun.json(Map.of("post", batch))).post("/runs/batch").then()
                .statusCode(202);
        batch.forEach(run -> runs.add(String.valueOf(run.get("id"))));
    }

    // Few start times, so that many runs have the same, also the first and the last ones of days.
    private static Map<String, Object> run(Random random) {
        Instant start = switch (random.nextInt(6)) {
            case 0 -> start(random.nextInt(DAYS));
            case 1 -> start(1 + random.nextInt(DAYS)).minusNanos(1_000);
            default -> start(random.nextInt(DAYS)).plusSeconds(random.nextInt(8) * 10_000L);
        };
        return run(random, start, random.nextInt(10) == 0 ? "a \"Whale\"\n" : "a fish");
    }

    private static Map<String, Object> run(Random random, Instant start, String text) {
        TestRun run = TestRun.root();
        Map<String, Object> members = new HashMap<>(Map.of("id", run.id().toString(), "trace_id", run.id().toString(),
                "dotted_order", SEGMENT.format(start) + run.id(), "name", NAMES.get(random.nextInt(NAMES.size())), "run_type",
                "chain", "start_time", start.toString(), "end_time", start.plusSeconds(1 + random.nextInt(7)).toString(),
                "session_name", SESSIONS.get(random.nextInt(SESSIONS.size())), "inputs",
                Map.of("text", text), "extra",
                Map.of("metadata", Map.of("k", random.nextInt(10), "text", "v" + random.nextInt(10)))));
        if (random.nextInt(20) == 0) {
            members.put("tags", List.of("rare"));
        }
        return members;
    }

    private void patch(Random random) {
        as(account).contentType("application/json")
                .body(TestRun.json(Map.of("outputs", Map.of("text", "the WHALE"), "name", "model")))
                .patch("/runs/" + runs.get(random.nextInt(runs.size()))).then().statusCode(202);
    }

    private double searchesIn(String source) {
        return lake.count("waybill.lake.searches", "source", source);
    }

    private static Instant start(int day) {
        return FIRST_DAY.plusDays(day).atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    private static <T> T await(Uni<T> uni) {
        return uni.await().atMost(Duration.ofMinutes(2));
    }
}
