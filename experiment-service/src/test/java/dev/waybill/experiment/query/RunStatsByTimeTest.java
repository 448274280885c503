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
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
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

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.time.Timestamps;
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
    @Tag("full")
    void bordersAreExactForEveryWidthAndTimeZone() {
        for (BucketWidth width : BucketWidth.values()) {
            // Given
            Instant border = width.start(width.index(Instant.parse("2026-11-20T08:00:00.123456Z")));
            Instant before = border.minus(1, ChronoUnit.MICROS);
            Instant after = border.plus(1, ChronoUnit.MICROS);
            Account ofWidth = Accounts.account().create();
            for (Instant start : List.of(before.minus(1, ChronoUnit.MICROS), before, border, after)) {
                as(ofWidth).contentType("application/json")
                        .body(TestRun.root().with("session_name", "borders").without("trace_id", "dotted_order")
                                .with("start_time", start.toString()).with("end_time", start.toString()).json())
                        .post("/runs").then().statusCode(202);
            }
            String session = as(ofWidth).get("/sessions?name=borders").path("[0].id");

            // When
            Response response = as(ofWidth).queryParams(Map.of("interval", width.wireName(),
                    "start_time", before.atOffset(ZoneOffset.ofHoursMinutes(5, 30)).toString(),
                    "end_time", after.atOffset(ZoneOffset.ofHours(-8)).toString())).get(path(session));

            // Then
            response.then().statusCode(200)
                    .body("start_time", equalTo(Timestamps.format(before)))
                    .body("end_time", equalTo(Timestamps.format(after)))
                    .body("buckets.start_time", equalTo(List.of(Timestamps.format(border.minusSeconds(width.seconds())),
                            Timestamps.format(border))))
                    .body("buckets.run_count", equalTo(List.of(1, 1)));
        }
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
        stats(session, Map.of("start_time", "yesterday", "end_time", "now", "interval", "2h", "max_buckets", "745", "is_root",
                "yes", "run_type", "x", "filter", "eq(", "trace_filter", "z()")).then().statusCode(422)
                .body("errors.loc.flatten()", containsInAnyOrder("start_time", "end_time", "interval", "max_buckets", "is_root",
                        "run_type", "filter", "trace_filter"))
                .body("errors.find { it.loc == ['filter'] }.position", notNullValue());
        stats(session, Map.of("start_time", "2026-11-02T00:00:00Z", "end_time", "2026-11-02T00:00:00Z")).then().statusCode(422)
                .body("errors.loc.flatten()", equalTo(List.of("end_time")));
        stats(session, Map.of("start_time", "2026-11-01T00:00:00Z", "end_time", "2026-11-02T00:00:00Z", "interval", "1m"))
                .then().statusCode(422).body("detail", containsString("1440 buckets"));
        stats(session, Map.of("start_time", "2026-01-01T00:00:00Z", "interval", "1m")).then().statusCode(422)
                .body("errors.loc.flatten()", equalTo(List.of("interval")));
        stats(session, Map.of("colour", "blue")).then().statusCode(422).body("errors.loc.flatten()",
                equalTo(List.of("colour")));
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
        as(account).get(path("nonsense")).then().statusCode(404);
        as(account).delete("/sessions/" + session).then().statusCode(202);
        as(account).get(path(session)).then().statusCode(404);
    }

    private void compare(Response response, Duration width, List<SentRun> runs) {
        List<Map<String, Object>> buckets = response.jsonPath().getList("buckets");
        assertThat(buckets).isNotEmpty().hasSizeLessThanOrEqualTo(744);
        Set<UUID> withTokens = aboveRunsWith(runs, SentRun::tokens);
        Set<UUID> withCosts = aboveRunsWith(runs, SentRun::cost);
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
            assertPercentile(bucket.get("latency_p50"), inside, SentRun::seconds, 0.5);
            assertPercentile(bucket.get("latency_p99"), inside, SentRun::seconds, 0.99);
            assertPercentile(bucket.get("first_token_p50"), inside, SentRun::firstToken, 0.5);
            assertSum(bucket.get("total_tokens"), inside, withTokens, SentRun::tokens);
            assertSum(bucket.get("prompt_tokens"), inside, withTokens, SentRun::promptTokens);
            assertSum(bucket.get("completion_tokens"), inside, withTokens, SentRun::completionTokens);
            assertSum(bucket.get("total_cost"), inside, withCosts, SentRun::cost);
            assertSum(bucket.get("prompt_cost"), inside, withCosts, SentRun::promptCost);
            assertSum(bucket.get("completion_cost"), inside, withCosts, SentRun::completionCost);
        }
        assertThat(counted).isEqualTo(runs.size());
    }

    private static void assertPercentile(Object actual, List<SentRun> runs, Function<SentRun, Double> value,
            double fraction) {
        double[] seconds = runs.stream().map(value).filter(Objects::nonNull).mapToDouble(Double::doubleValue).sorted()
                .toArray();
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
    private static Set<UUID> aboveRunsWith(List<SentRun> selected, Function<SentRun, BigDecimal> usage) {
        Set<UUID> above = new HashSet<>();
        for (SentRun run : selected) {
            if (usage.apply(run) != null && usage.apply(run).signum() > 0) {
                for (SentRun parent = run.parent(); parent != null; parent = parent.parent()) {
                    above.add(parent.run().id());
                }
            }
        }
        return above;
    }

    private static void assertSum(Object actual, List<SentRun> inside, Set<UUID> repeated,
            Function<SentRun, BigDecimal> usage) {
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
        boolean failed = random.nextInt(4) == 0;
        Integer firstToken = random.nextInt(3) == 0 ? random.nextInt(millis) : null;
        run.with("session_name", "by time").with("run_type", random.nextBoolean() ? "llm" : "chain")
                .without("inputs", "outputs").with("start_time", start.toString())
                .with("end_time", start.plusMillis(millis).toString());
        if (failed) {
            run.with("error", "failed");
        }
        if (firstToken != null) {
            run.with("events", List.of(Map.of("name", "new_token", "time", start.plusMillis(firstToken).toString())));
        }
        Usage usage = sendUsage(run);
        SentRun result = new SentRun(run, parent, start, millis / 1000.0, firstToken == null ? null : firstToken / 1000.0,
                failed, usage);
        sent.add(result);
        as(account).contentType("application/json").body(run.json()).post("/runs").then().statusCode(202);
        return result;
    }

    // A run has no usage, totals, or tokens and costs of prompt and completion.
    private Usage sendUsage(TestRun run) {
        int kind = random.nextInt(3);
        if (kind == 0) {
            return new Usage(null, null, null, null, null, null);
        }
        BigDecimal prompt = BigDecimal.valueOf(random.nextInt(100));
        BigDecimal completion = BigDecimal.valueOf(random.nextInt(100));
        BigDecimal promptCost = BigDecimal.valueOf(random.nextInt(1_000), 5);
        BigDecimal completionCost = BigDecimal.valueOf(random.nextInt(1_000), 5);
        if (kind == 1) {
            run.with("total_tokens", prompt.longValue()).with("total_cost", promptCost.toPlainString());
            return new Usage(prompt, null, null, promptCost, null, null);
        }
        run.with("prompt_tokens", prompt.longValue()).with("completion_tokens", completion.longValue())
                .with("prompt_cost", promptCost.toPlainString()).with("completion_cost", completionCost.toPlainString());
        return new Usage(prompt.add(completion), prompt, completion, promptCost.add(completionCost), promptCost,
                completionCost);
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

    private record Usage(BigDecimal tokens, BigDecimal promptTokens, BigDecimal completionTokens, BigDecimal cost,
            BigDecimal promptCost, BigDecimal completionCost) {
    }

    /** The values of a run in the request. */
    private record SentRun(TestRun run, SentRun parent, Instant start, double seconds, Double firstToken, boolean failed,
            Usage usage) {

        SentRun root() {
            return parent == null ? this : parent.root();
        }

        BigDecimal tokens() {
            return usage.tokens();
        }

        BigDecimal promptTokens() {
            return usage.promptTokens();
        }

        BigDecimal completionTokens() {
            return usage.completionTokens();
        }

        BigDecimal cost() {
            return usage.cost();
        }

        BigDecimal promptCost() {
            return usage.promptCost();
        }

        BigDecimal completionCost() {
            return usage.completionCost();
        }
    }
}
