package dev.waybill.experiment.query;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.api.trace.RunResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.filter.FilterParser;
import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.TestRun;
import dev.waybill.experiment.lake.LakeReader;
import dev.waybill.experiment.query.RunCursor.RunKey;
import dev.waybill.experiment.query.RunQueryParser.RunQuery;
import dev.waybill.experiment.query.RunSearch.Limits;
import dev.waybill.experiment.query.RunSearch.RunPage;
import dev.waybill.experiment.run.RunField;
import io.quarkus.test.junit.QuarkusTest;

/** Searches in pieces find the same runs as an evaluation of each run in Java. */
@QuarkusTest
class RunSearchTest {

    private static final Instant START = Instant.parse("2026-10-31T23:59:00Z");
    private static final Comparator<RunKey> KEY_ORDER = Comparator.comparing(RunKey::startTime)
            .thenComparing(key -> key.id().toString());
    private static final DateTimeFormatter SEGMENT = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSSSSS'Z'")
            .withZone(ZoneOffset.UTC);
    private static final UUID NOBODY = new UUID(0, 0);
    private static final List<String> SESSIONS = List.of("one", "two", "three");
    private static final List<String> NAMES = List.of("agent", "model", "tool");
    private static final Map<String, Predicate<Stored>> FILTERS = new TreeMap<>(Map.of(
            "search(\"whale\")", Stored::hasWord,
            "search(\"unknown\")", run -> false,
            "eq(name, \"model\")", run -> run.name().equals("model"),
            "has(tags, \"rare\")", Stored::isTagged,
            "and(eq(metadata_key, \"k\"), gte(metadata_value, 8))", run -> run.number() >= 8,
            "or(search(\"whale\"), has(tags, \"rare\"))", run -> run.hasWord() || run.isTagged(),
            "gt(latency, \"5s\")", run -> run.seconds() > 5,
            "neq(name, \"unknown\")", run -> true));

    @Inject
    Database database;
    @Inject
    RunQueryRepository repository;
    @Inject
    LakeReader lake;

    private final Account account = Accounts.account().create();
    private final Map<String, UUID> sessions = new HashMap<>();

    @Test
    void pagesEqualTheEvaluatedRunsWhileRunsArrive() {
        assertPagesEqualTheEvaluatedRuns(1, 1);
    }

    @ParameterizedTest
    @Tag("full")
    @Tag("long")
    @ValueSource(longs = { 1, 2, 3, 4 })
    void pagesOfOtherRunsEqualTheEvaluatedOnes(long seed) {
        assertPagesEqualTheEvaluatedRuns(seed, 6);
    }

    private void assertPagesEqualTheEvaluatedRuns(long seed, int queriesPerFilter) {
        // Given
        Random random = new Random(seed);
        List<Stored> stored = new ArrayList<>(store(IntStream.range(0, 300).mapToObj(i -> randomRun(random)).toList()));
        SESSIONS.forEach(name -> sessions.put(name, UUID.fromString(as(account).get("/sessions?name=" + name).path("[0].id"))));

        for (String filter : FILTERS.keySet()) {
            for (int i = 0; i < queriesPerFilter; i++) {
                // When / Then
                assertPagesEqualTheEvaluatedRuns(filter, stored, random);
            }
        }
    }

    private void assertPagesEqualTheEvaluatedRuns(String filter, List<Stored> stored, Random random) {
        List<String> names = SESSIONS.subList(0, 1 + random.nextInt(SESSIONS.size()));
        Instant from = random.nextBoolean() ? null : START.plusSeconds(random.nextInt(60));
        Instant to = random.nextBoolean() ? null : START.plusSeconds(60 + random.nextInt(60));
        boolean descending = random.nextInt(3) > 0;
        RunQuery query = new RunQuery(conditions(names, from, to, filter), descending, 1 + random.nextInt(12),
                EnumSet.of(RunField.ID, RunField.START_TIME), Optional.empty());
        Predicate<Stored> matches = run -> names.contains(run.session()) && (from == null || !run.start().isBefore(from))
                && (to == null || run.start().isBefore(to)) && FILTERS.get(filter).test(run);
        Comparator<RunKey> order = descending ? KEY_ORDER.reversed() : KEY_ORDER;
        List<RunKey> expected = new ArrayList<>(stored.stream().filter(matches).map(Stored::key).toList());
        List<RunKey> found = new ArrayList<>();
        Optional<RunKey> position = Optional.empty();
        do {
            RunPage page = page(query.between(position, Optional.empty(), query.limit()), random);
            assertThat(page.runs()).hasSizeLessThanOrEqualTo(query.limit());
            page.runs().stream().map(RunSearchTest::key).forEach(found::add);
            assertThat(page.next()).as("progress")
                    .isNotEqualTo(position.or(() -> Optional.of(new RunKey(Instant.MIN, NOBODY))));
            position = page.next();
            if (position.isPresent() && random.nextInt(4) == 0) {
                RunKey last = position.get();
                List<Stored> arrived = store(List.of(randomRun(random)));
                stored.addAll(arrived);
                arrived.stream().filter(matches).map(Stored::key).filter(key -> order.compare(key, last) > 0)
                        .forEach(expected::add);
            }
        } while (position.isPresent());
        expected.sort(order);
        assertThat(found).as(query + " " + filter).isEqualTo(expected);
    }

    private RunPage page(RunQuery query, Random random) {
        RunSearch search = random.nextInt(4) == 0 ? searchWithTimeouts() : searchWithRandomClock(random);
        boolean mayBeEmpty = random.nextBoolean();
        boolean isWhole = random.nextInt(8) == 0;
        return (isWhole ? search.page(account.workspaceId(), query, mayBeEmpty)
                : search.pageInPieces(account.workspaceId(), query, mayBeEmpty)).await().atMost(Duration.ofMinutes(1));
    }

    // Pieces grow, shrink and end pages at random.
    private RunSearch searchWithRandomClock(Random random) {
        AtomicLong now = new AtomicLong();
        long step = Duration.ofMillis(1 + random.nextInt(2_000)).toNanos();
        Limits limits = new Limits(Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(random.nextInt(4)),
                Duration.ofSeconds(40), 2 + random.nextInt(40));
        return new RunSearch(database, repository, lakeSearch(), limits, () -> now.getAndAdd(random.nextLong(step)));
    }

    // PostgreSQL cancels pieces of many runs.
    private RunSearch searchWithTimeouts() {
        return new RunSearch(database, repository, lakeSearch(),
                new Limits(Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(20),
                        Duration.ofMinutes(1), 1_000),
                System::nanoTime);
    }

    private LakeSearch lakeSearch() {
        return new LakeSearch(lake, database, repository);
    }

    private RunQueryParser.Conditions conditions(List<String> names, @Nullable Instant from, @Nullable Instant to,
            String filter) {
        return new RunQueryParser.Conditions(names.stream().map(sessions::get).toList(), List.of(), null, null, List.of(),
                null, null, null, from, to, List.of(FilterParser.parse(filter)), null, null);
    }

    // Few start times, so that many runs have the same; they are in two months, and thus in two partitions.
    private static Stored randomRun(Random random) {
        return new Stored(UUID.randomUUID(), START.plusSeconds(random.nextInt(40) * 3L), 1 + random.nextInt(7),
                SESSIONS.get(random.nextInt(SESSIONS.size())), NAMES.get(random.nextInt(NAMES.size())), random.nextInt(10),
                random.nextInt(15) == 0, random.nextInt(20) == 0);
    }

    private List<Stored> store(List<Stored> runs) {
        for (int i = 0; i < runs.size(); i += 100) {
            List<Map<String, Object>> batch = runs.subList(i, Math.min(runs.size(), i + 100)).stream().map(Stored::members)
                    .toList();
            as(account).contentType("application/json").body(TestRun.json(Map.of("post", batch))).post("/runs/batch").then()
                    .statusCode(202);
        }
        return runs;
    }

    private static RunKey key(RunResponse run) {
        return new RunKey(run.startTime(), run.id());
    }

    private record Stored(UUID id, Instant start, int seconds, String session, String name, int number, boolean hasWord,
            boolean isTagged) {

        RunKey key() {
            return new RunKey(start, id);
        }

        Map<String, Object> members() {
            Map<String, Object> members = new HashMap<>(Map.of("id", id.toString(), "trace_id", id.toString(), "dotted_order",
                    SEGMENT.format(start) + id, "name", name, "run_type", "chain", "start_time", start.toString(), "end_time",
                    start.plusSeconds(seconds).toString(), "session_name", session, "inputs",
                    Map.of("text", hasWord ? "a Whale" : "a fish"), "extra", Map.of("metadata", Map.of("k", number))));
            if (isTagged) {
                members.put("tags", List.of("rare"));
            }
            return members;
        }
    }
}
