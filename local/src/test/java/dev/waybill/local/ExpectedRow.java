package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.api.trace.SessionResponse;
import dev.waybill.local.client.Json;

/**
 * The expected row of a sent run, independent of format and reader.
 *
 * @param run the sent run
 * @param session the session that the intake created
 */
record ExpectedRow(JsonNode run, SessionResponse session) {

    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'")
            .withZone(ZoneOffset.UTC);
    private static final Set<String> ALWAYS_NULL = Set.of("first_token_time", "events", "reference_example_id", "prompt_cost",
            "completion_cost", "feedback_stats", "manifest_id");
    private static final int COST_DECIMALS = 9;

    /** Compares a row, whose columns are texts by name. */
    void assertEqualTo(Map<String, @Nullable String> row) {
        for (String column : List.of("id", "trace_id", "parent_run_id", "dotted_order", "session_name", "name", "run_type",
                "status", "error")) {
            assertThat(row.get(column)).as(column).isEqualTo(run.path(column).textValue());
        }
        assertThat(row.get("session_id")).isEqualTo(session.id().toString());
        assertThat(row.get("tenant_id")).isEqualTo(session.tenantId().toString());
        assertThat(row.get("is_root")).isEqualTo(String.valueOf(!run.hasNonNull("parent_run_id")));
        assertTimes(row);
        assertNumbers(row);
        assertJson(row);
        assertThat(ALWAYS_NULL).allSatisfy(column -> assertThat(row.get(column)).as(column).isNull());
        assertThat(row).containsKeys("trace_tier");
        assertThat(row.get("app_path")).contains(session.id().toString(), run.get("id").textValue());
    }

    /** Returns the folder of the row's day. */
    String day() {
        var day = start().atOffset(ZoneOffset.UTC);
        return "/year=" + day.getYear() + "/month=" + day.getMonthValue() + "/day=" + day.getDayOfMonth() + "/";
    }

    private void assertTimes(Map<String, @Nullable String> row) {
        assertThat(row.get("start_time")).isEqualTo(MICROS.format(start()));
        assertThat(row.get("end_time")).isEqualTo(MICROS.format(time("end_time")));
        assertThat(Double.parseDouble(row.get("latency")))
                .isEqualTo(ChronoUnit.MICROS.between(start(), time("end_time")) / 1e6);
    }

    private void assertNumbers(Map<String, @Nullable String> row) {
        for (String column : List.of("prompt_tokens", "completion_tokens", "total_tokens")) {
            assertThat(row.get(column)).as(column).isEqualTo(run.hasNonNull(column) ? run.get(column).asText() : null);
        }
        String cost = row.get("total_cost");
        if (run.hasNonNull("total_cost")) {
            assertThat(rounded(new BigDecimal(cost))).isEqualByComparingTo(rounded(run.get("total_cost").decimalValue()));
        } else {
            assertThat(cost).isNull();
        }
    }

    private void assertJson(Map<String, @Nullable String> row) {
        for (String column : List.of("inputs", "outputs", "extra")) {
            assertThat(parse(row.get(column))).as(column).isEqualTo(sent(run.path(column)));
        }
        assertThat(parse(row.get("metadata"))).isEqualTo(sent(run.at("/extra/metadata")));
        assertThat(parse(row.get("tags"))).isEqualTo(sent(run.path("tags")));
        assertThat(parse(row.get("parent_run_ids")).valueStream().map(JsonNode::textValue))
                .containsExactlyElementsOf(parents());
    }

    private List<String> parents() {
        List<String> path = Arrays.stream(run.get("dotted_order").textValue().split("\\."))
                .map(piece -> piece.substring(piece.length() - 36))
                .toList();
        return path.subList(0, path.size() - 1);
    }

    private Instant start() {
        return time("start_time");
    }

    private Instant time(String column) {
        return Instant.parse(run.get(column).textValue());
    }

    private static @Nullable JsonNode sent(JsonNode value) {
        return value.isMissingNode() || value.isNull() ? null : value;
    }

    private static @Nullable JsonNode parse(@Nullable String text) {
        return text == null ? null : Json.parse(text);
    }

    private static BigDecimal rounded(BigDecimal cost) {
        return cost.setScale(COST_DECIMALS, RoundingMode.HALF_UP);
    }
}
