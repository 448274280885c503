package dev.waybill.bench;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A search for runs of one session, newest first.
 *
 * @param filter filter of the request; null for none
 * @param condition the same as a condition of DuckDB on exported files
 * @param day the only day that is searched; null for all
 * @param maxMillis goal of the time with the lake; 0 for none
 * @param maxCpuRatio goal of the CPU with the lake over that of DuckDB, all columns; 0 for none
 */
record LakeQuestion(String name, @Nullable String filter, String condition, @Nullable LocalDate day, double maxMillis,
        double maxCpuRatio) {

    static final int LIMIT = 100;

    private static final String RARE_NAME = "bench-rare-name";
    private static final String RARE_TAG = "bench-rare-tag";
    private static final String RARE_CUSTOMER = "bench-rare-customer";
    private static final String RARE_WORD = "zyxomma";
    private static final String COMMON_WORD = "the";
    private static final int RARE_TOKENS = 900_000_000;
    private static final double SELECTIVE_MILLIS = 150;
    private static final double FIRST_PAGE_MILLIS = 100;
    private static final double SELECTIVE_CPU = 1.5;
    private static final double RARE_WORD_CPU = 0.2;
    private static final double COMMON_WORD_CPU = 1.2;

    /** Assignments of an UPDATE that make a run match all rare conditions. */
    static final String RARE_VALUES = """
            name = '%s', tags = ARRAY['%s'], end_time = r.start_time + interval '2 hours', total_tokens = %d,
            inputs = '{"question": "Where does the %s live?"}', metadata = '{"customer": "%s"}',
            extra = '{"metadata": {"customer": "%5$s"}}'
            """.formatted(RARE_NAME, RARE_TAG, RARE_TOKENS, RARE_WORD, RARE_CUSTOMER);

    static List<LakeQuestion> all() {
        return List.of(
                new LakeQuestion("newest runs", null, "true", null, FIRST_PAGE_MILLIS, 0),
                selective("rare name", "eq(name, \"" + RARE_NAME + "\")", "name = '" + RARE_NAME + "'"),
                selective("rare latency", "gt(latency, \"1h\")", "end_time - start_time > INTERVAL 1 HOUR"),
                selective("rare tokens", "gte(total_tokens, " + RARE_TOKENS + ")", "total_tokens >= " + RARE_TOKENS),
                selective("rare tag", "has(tags, \"" + RARE_TAG + "\")", "list_contains(tags, '" + RARE_TAG + "')"),
                selective("rare metadata", "and(eq(metadata_key, \"customer\"), eq(metadata_value, \"" + RARE_CUSTOMER + "\"))",
                        "contains(metadata, '\"" + RARE_CUSTOMER + "\"')"),
                word("rare word", RARE_WORD, null, RARE_WORD_CPU),
                word("rare word within a day", RARE_WORD, LakeDays.FIRST.plusDays(LakeDays.DAYS / 2), RARE_WORD_CPU),
                word("common word", COMMON_WORD, null, COMMON_WORD_CPU));
    }

    /** Adds the conditions to a request. */
    void addTo(ObjectNode request) {
        if (filter != null) {
            request.put("filter", filter);
        }
        if (day != null) {
            request.put("start_time", start(day).toString()).put("end_time", start(day.plusDays(1)).toString());
        }
    }

    /** Returns the conditions for DuckDB. */
    String sql() {
        return day == null ? condition
                : condition + " AND start_time >= '" + start(day) + "' AND start_time < '" + start(day.plusDays(1)) + "'";
    }

    private static Instant start(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    private static LakeQuestion selective(String name, String filter, String condition) {
        return new LakeQuestion(name, filter, condition, null, SELECTIVE_MILLIS, SELECTIVE_CPU);
    }

    private static LakeQuestion word(String name, String word, @Nullable LocalDate day, double maxCpuRatio) {
        String pattern = "'%" + word + "%'";
        return new LakeQuestion(name, "search(\"" + word + "\")",
                "(name ILIKE %1$s OR error ILIKE %1$s OR array_to_string(tags, ' ') ILIKE %1$s OR inputs ILIKE %1$s"
                        .formatted(pattern) + " OR outputs ILIKE " + pattern + ")",
                day, 0, maxCpuRatio);
    }
}
