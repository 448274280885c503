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

import dev.waybill.local.client.Json;

/**
 * What a run that was sent must be in a file, whatever its format and whoever reads it.
 *
 * @param run as it was sent
 * @param session as the intake made it
 */
record ExpectedRow(JsonNode run, JsonNode session) {

    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'")
            .withZone(ZoneOffset.UTC);
    private static final Set<String> ALWAYS_NULL = Set.of("first_token_time", "events", "reference_example_id", "prompt_cost",
            "completion_cost", "feedback_stats", "manifest_id");
    private static final int COST_DECIMALS = 9;

    /** @param row the columns by name, every value as text */
    void requireSame(Map<String, @Nullable String> row) {
        for (String column : List.of("id", "trace_id", "parent_run_id", "dotted_order", "session_name", "name", "run_type",
                "status", "error")) {
            assertThat(row.get(column)).as(column).isEqualTo(run.path(column).textValue());
        }
        assertThat(row.get("session_id")).isEqualTo(session.get("id").textValue());
        assertThat(row.get("tenant_id")).isEqualTo(session.get("tenant_id").textValue());
        assertThat(row.get("is_root")).isEqualTo(String.valueOf(!run.hasNonNull("parent_run_id")));
        requireSameTimes(row);
        requireSameNumbers(row);
        requireSameJson(row);
        assertThat(ALWAYS_NULL).allSatisfy(column -> assertThat(row.get(column)).as(column).isNull());
        assertThat(row).containsKeys("trace_tier");
        assertThat(row.get("app_path")).contains(session.get("id").textValue(), run.get("id").textValue());
    }

    /** The folder that the row must be in. */
    String day() {
        var day = start().atOffset(ZoneOffset.UTC);
        return "/year=" + day.getYear() + "/month=" + day.getMonthValue() + "/day=" + day.getDayOfMonth() + "/";
    }

    private void requireSameTimes(Map<String, @Nullable String> row) {
        assertThat(row.get("start_time")).isEqualTo(MICROS.format(start()));
        assertThat(row.get("end_time")).isEqualTo(MICROS.format(time("end_time")));
        assertThat(Double.parseDouble(row.get("latency")))
                .isEqualTo(ChronoUnit.MICROS.between(start(), time("end_time")) / 1e6);
    }

    private void requireSameNumbers(Map<String, @Nullable String> row) {
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

    private void requireSameJson(Map<String, @Nullable String> row) {
        for (String column : List.of("inputs", "outputs", "extra")) {
            assertThat(tree(row.get(column))).as(column).isEqualTo(given(run.path(column)));
        }
        assertThat(tree(row.get("metadata"))).isEqualTo(given(run.at("/extra/metadata")));
        assertThat(tree(row.get("tags"))).isEqualTo(given(run.path("tags")));
        assertThat(tree(row.get("parent_run_ids")).valueStream().map(JsonNode::textValue)).containsExactlyElementsOf(parents());
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

    private static @Nullable JsonNode given(JsonNode value) {
        return value.isMissingNode() || value.isNull() ? null : value;
    }

    private static @Nullable JsonNode tree(@Nullable String text) {
        return text == null ? null : Json.parse(text);
    }

    private static BigDecimal rounded(BigDecimal cost) {
        return cost.setScale(COST_DECIMALS, RoundingMode.HALF_UP);
    }
}
