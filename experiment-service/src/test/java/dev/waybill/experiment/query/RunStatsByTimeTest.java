package dev.waybill.experiment.query;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.TestRun;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Compares statistics by time with an independent calculation. */
@QuarkusTest
class RunStatsByTimeTest {

    private static final Instant FIRST = Instant.parse("2026-11-03T22:58:00.000001Z");

    private final Account account = Accounts.account().create();
    private final Random random = new Random(20261123);
    private final List<SentRun> sent = new ArrayList<>();

    @Test
    void everyBucketEqualsAnIndependentCalculation() {
        // Given
        for (int trace = 0; trace < 60; trace++) {
            sendTree();
        }
        String session = session();

        for (String interval : List.of("1h", "6h", "1d")) {
            for (Map<String, String> conditions : List.of(Map.<String, String> of(), Map.of("is_root", "true"),
                    Map.of("run_type", "llm"), Map.of("filter", "and(eq(run_type, \"llm\"), gt(latency, 1))"),
                    Map.of("error", "false", "trace_filter", "eq(status, \"success\")"))) {
                // When
                Map<String, Object> parameters = new HashMap<>(conditions);
                parameters.put("interval", interval);
                Response response = stats(session, parameters);

                // Then
                response.then().statusCode(200).body("interval", equalTo(interval));
                compare(response, Duration.ofSeconds(response.jsonPath().getLong("interval_seconds")), matching(conditions));
            }
        }
    }

    @Test
    void rangeIsHalfOpenAndHasEmptyBuckets() {
        // Given
        send(null, FIRST, 1);
        send(null, FIRST.plus(Duration.ofHours(5)), 1);
        String session = session();
        Map<String, Object> range = Map.of("start_time", FIRST.toString(), "end_time",
                FIRST.plus(Duration.ofHours(5)).toString(), "interval", "1h");

        // When
        Response response = stats(session, range);

        // Then
        response.then().statusCode(200)
                .body("interval_seconds", equalTo(3600))
                .body("start_time", equalTo("2026-11-03T22:58:00.000001Z"))
                .body("end_time", equalTo("2026-11-04T03:58:00.000001Z"))
                .body("buckets.run_count", equalTo(List.of(1, 0, 0, 0, 0, 0)))
                .body("buckets[0].start_time", equalTo("2026-11-03T22:00:00.000000Z"))
                .body("buckets[5].start_time", equalTo("2026-11-04T03:00:00.000000Z"))
                .body("buckets[1].error_count", equalTo(0))
                .body("buckets[1].latency_p50", nullValue())
                .body("buckets[1].total_tokens", nullValue());
    }

    @Test
    void rangeIsThatOfTheRunsByDefault() {
        // Given
        send(null, FIRST.plus(Duration.ofDays(3)), 1);
        send(null, FIRST, 1);
        String session = session();

        // Then
        stats(session, Map.of("max_buckets", 10)).then().statusCode(200)
                .body("interval", equalTo("12h"))
                .body("first_run_start_time", equalTo("2026-11-03T22:58:00.000001Z"))
                .body("last_run_start_time", equalTo("2026-11-06T22:58:00.000001Z"))
                .body("start_time", equalTo("2026-11-03T22:58:00.000001Z"))
                .body("end_time", equalTo("2026-11-06T22:58:00.000002Z"))
                .body("buckets.run_count", equalTo(List.of(1, 0, 0, 0, 0, 0, 1)));
        stats(session, Map.of("start_time", "2027-01-01T00:00:00Z")).then().statusCode(200).body("buckets", hasSize(0));
        as(account).contentType("application/json").body("{\"name\": \"empty\"}").post("/sessions").then().statusCode(200);
        stats(as(account).get("/sessions?name=empty").path("[0].id"), Map.of()).then().statusCode(200)
                .body("buckets", hasSize(0)).body("interval", nullValue()).body("first_run_start_time", nullValue());
    }

    @Test
    void returns304UntilTheStatisticsChange() {
        // Given
        send(null, FIRST, 1);
        String session = session();
        String tag = stats(session, Map.of()).header("ETag");

        // When
        Response unchanged = as(account).header("If-None-Match", tag).get(path(session));
        send(null, FIRST.plusSeconds(1), 1);
        Response changed = as(account).header("If-None-Match", tag).get(path(session));

        // Then
        unchanged.then().statusCode(304).header("ETag", tag);
        changed.then().statusCode(200).body("buckets.run_count", equalTo(List.of(2)));
    }

    @Test
    void returns422WithAllViolations() {
        // Given
        send(null, FIRST, 1);
        String session = session();

        // Then
        stats(session, Map.of("start_time", "yesterday", "end_time", "now", "interval", "2h", "max_buckets", "201", "is_root",
                "yes", "run_type", "x", "filter", "eq(", "trace_filter", "z()")).then().statusCode(422)
                .body("errors.loc.flatten()", containsInAnyOrder("start_time", "end_time", "interval", "max_buckets", "is_root",
                        "run_type", "filter", "trace_filter"))
                .body("errors.find { it.loc == ['filter'] }.position", notNullValue());
        stats(session, Map.of("start_time", "2026-11-02T00:00:00Z", "end_time", "2026-11-02T00:00:00Z")).then().statusCode(422)
                .body("errors.loc.flatten()", equalTo(List.of("end_time")));
        stats(session, Map.of("start_time", "2026-11-01T00:00:00Z", "end_time", "2026-11-02T00:00:00Z", "interval", "5m"))
                .then().statusCode(422).body("detail", containsString("288 buckets"));
        stats(session, Map.of("start_time", "2026-01-01T00:00:00Z", "interval", "1m")).then().statusCode(422)
                .body("errors.loc.flatten()", equalTo(List.of("interval")));
        stats(session, Map.of("colour", "blue")).then().statusCode(422).body("errors.loc.flatten()", equalTo(List.of("colour")));
    }

    @Test
    void returns404ForUnknownSessions() {
        // Given
        send(null, FIRST, 1);
        String session = session();
        Account stranger = Accounts.account().create();

        // Then
        as(stranger).get(path(session)).then().statusCode(404);
        as(account).get(path(UUID.randomUUID().toString())).then().statusCode(404);
    }

    private void compare(Response response, Duration width, List<SentRun> runs) {
        List<Map<String, Object>> buckets = response.jsonPath().getList("buckets");
        assertThat(buckets).isNotEmpty().hasSizeLessThanOrEqualTo(200);
        long counted = 0;
        for (Map<String, Object> bucket : buckets) {
            Instant start = Instant.parse((String) bucket.get("start_time"));
            assertThat(start.getEpochSecond() % width.toSeconds()).isZero();
            List<SentRun> inside = runs.stream()
                    .filter(run -> !run.start().isBefore(start) && run.start().isBefore(start.plus(width)))
                    .toList();
            counted += inside.size();
            assertThat(((Number) bucket.get("run_count")).longValue()).isEqualTo(inside.size());
            assertThat(((Number) bucket.get("error_count")).longValue()).isEqualTo(
                    inside.stream().filter(SentRun::failed).count());
            assertPercentile(bucket.get("latency_p50"), inside, 0.5);
            assertPercentile(bucket.get("latency_p99"), inside, 0.99);
            assertSum(bucket.get("total_tokens"), inside, runs, SentRun::tokens);
            assertSum(bucket.get("total_cost"), inside, runs, SentRun::cost);
        }
        assertThat(counted).isEqualTo(runs.size());
    }

    private static void assertPercentile(Object actual, List<SentRun> runs, double fraction) {
        double[] seconds = runs.stream().mapToDouble(SentRun::seconds).sorted().toArray();
        if (seconds.length == 0) {
            assertThat(actual).isNull();
            return;
        }
        double position = fraction * (seconds.length - 1);
        int below = (int) position;
        double above = seconds[Math.min(below + 1, seconds.length - 1)];
        assertThat(((Number) actual).doubleValue())
                .isCloseTo(seconds[below] + (position - below) * (above - seconds[below]), within(1e-5));
    }

    // Of a run and its selected descendants with usage, only the deepest count.
    private static void assertSum(Object actual, List<SentRun> inside, List<SentRun> selected,
            Function<SentRun, BigDecimal> usage) {
        Set<UUID> repeated = new HashSet<>();
        for (SentRun run : selected) {
            if (usage.apply(run) != null && usage.apply(run).signum() > 0) {
                for (SentRun above = run.parent(); above != null; above = above.parent()) {
                    repeated.add(above.run().id());
                }
            }
        }
        List<BigDecimal> counted = inside.stream().filter(run -> !repeated.contains(run.run().id())).map(usage)
                .filter(Objects::nonNull).toList();
        if (counted.isEmpty()) {
            assertThat(actual).isNull();
        } else {
            assertThat(new BigDecimal(actual.toString()).doubleValue()).isCloseTo(
                    counted.stream().reduce(BigDecimal.ZERO, BigDecimal::add).doubleValue(), within(1e-4));
        }
    }

    private List<SentRun> matching(Map<String, String> conditions) {
        List<Predicate<SentRun>> all = new ArrayList<>();
        if (conditions.containsKey("is_root")) {
            all.add(run -> run.parent() == null);
        }
        if (conditions.containsKey("run_type") || conditions.containsKey("filter")) {
            all.add(run -> run.run().get("run_type").equals("llm"));
        }
        if (conditions.containsKey("filter")) {
            all.add(run -> run.seconds() > 1);
        }
        if (conditions.containsKey("error")) {
            all.add(run -> !run.failed());
            all.add(run -> !run.root().failed());
        }
        return sent.stream().filter(run -> all.stream().allMatch(condition -> condition.test(run))).toList();
    }

    private void sendTree() {
        Instant start = FIRST.plus(Duration.ofMillis(random.nextInt(7 * 86_400_000)));
        List<SentRun> tree = new ArrayList<>(List.of(send(null, start, 1 + random.nextInt(5_000))));
        for (int i = random.nextInt(6); i > 0; i--) {
            tree.add(send(tree.get(random.nextInt(tree.size())), start.plusMillis(random.nextInt(7_200_000)),
                    1 + random.nextInt(3_000)));
        }
    }

    private SentRun send(SentRun parent, Instant start, int millis) {
        TestRun run = parent == null ? TestRun.root() : TestRun.below(parent.run());
        BigDecimal tokens = random.nextInt(3) == 0 ? null : BigDecimal.valueOf(random.nextInt(100));
        BigDecimal cost = random.nextInt(3) == 0 ? null : new BigDecimal("0.00" + random.nextInt(1_000));
        boolean failed = random.nextInt(4) == 0;
        run.with("session_name", "by time").with("run_type", random.nextBoolean() ? "llm" : "chain")
                .without("trace_id", "dotted_order", "inputs", "outputs").with("start_time", start.toString())
                .with("end_time", start.plusMillis(millis).toString());
        if (tokens != null) {
            run.with("total_tokens", tokens.longValue());
        }
        if (cost != null) {
            run.with("total_cost", cost.toPlainString());
        }
        if (failed) {
            run.with("error", "failed");
        }
        SentRun result = new SentRun(run, parent, start, millis / 1000.0, failed, tokens, cost);
        sent.add(result);
        as(account).contentType("application/json").body(run.json()).post("/runs").then().statusCode(202);
        return result;
    }

    private String session() {
        return as(account).get("/sessions?name=by time").path("[0].id");
    }

    private Response stats(String session, Map<String, ?> parameters) {
        return as(account).queryParams(parameters).get(path(session));
    }

    private static String path(String session) {
        return "/api/v1/sessions/" + session + "/runs/stats";
    }

    /** A run as it was sent. */
    private record SentRun(TestRun run, SentRun parent, Instant start, double seconds, boolean failed, BigDecimal tokens,
            BigDecimal cost) {

        SentRun root() {
            return parent == null ? this : parent.root();
        }
    }
}
