package dev.waybill.bench;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A search for runs of one session, newest first.
 *
 * @param filter filter of the request; null for none
 * @param condition the same as a condition of DuckDB on exported files
 * @param maxMillis goal of the time with the lake; 0 for none
 */
record LakeQuestion(String name, @Nullable String filter, String condition, double maxMillis) {

    static final int LIMIT = 100;

    private static final String RARE_NAME = "bench-rare-name";
    private static final String RARE_TAG = "bench-rare-tag";
    private static final String RARE_CUSTOMER = "bench-rare-customer";
    private static final String RARE_WORD = "zyxomma";
    private static final String COMMON_WORD = "the";
    private static final double SELECTIVE_MILLIS = 150;
    private static final double FIRST_PAGE_MILLIS = 100;

    /** Assignments of an UPDATE that make a run match all rare conditions. */
    static final String RARE_VALUES = """
            name = '%s', tags = ARRAY['%s'], end_time = r.start_time + interval '2 hours',
            inputs = '{"question": "Where does the %s live?"}', metadata = '{"customer": "%s"}',
            extra = '{"metadata": {"customer": "%4$s"}}'
            """.formatted(RARE_NAME, RARE_TAG, RARE_WORD, RARE_CUSTOMER);

    static List<LakeQuestion> all() {
        return List.of(
                new LakeQuestion("newest runs", null, "true", FIRST_PAGE_MILLIS),
                new LakeQuestion("rare name", "eq(name, \"" + RARE_NAME + "\")", "name = '" + RARE_NAME + "'",
                        SELECTIVE_MILLIS),
                new LakeQuestion("rare metadata", "and(eq(metadata_key, \"customer\"), eq(metadata_value, \"" + RARE_CUSTOMER
                        + "\"))", "contains(metadata, '\"" + RARE_CUSTOMER + "\"')", SELECTIVE_MILLIS),
                new LakeQuestion("rare tag", "has(tags, \"" + RARE_TAG + "\")", "list_contains(tags, '" + RARE_TAG + "')",
                        SELECTIVE_MILLIS),
                new LakeQuestion("rare latency", "gt(latency, \"1h\")", "end_time - start_time > INTERVAL 1 HOUR",
                        SELECTIVE_MILLIS),
                new LakeQuestion("rare word", "search(\"" + RARE_WORD + "\")", containsWord(RARE_WORD), 0),
                new LakeQuestion("common word", "search(\"" + COMMON_WORD + "\")", containsWord(COMMON_WORD), 0));
    }

    private static String containsWord(String word) {
        return "(name ILIKE '%1$s' OR error ILIKE '%1$s' OR array_to_string(tags, ' ') ILIKE '%1$s' OR inputs ILIKE '%1$s' "
                .formatted("%" + word + "%") + "OR outputs ILIKE '%" + word + "%')";
    }
}
