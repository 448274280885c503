package dev.waybill.experiment.lake;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import dev.waybill.common.filter.DuckDbCondition;
import dev.waybill.common.lake.TextIndex.RowRange;

/**
 * A DuckDB statement that reads the keys of runs from files.
 *
 * @param values the values of its placeholders, which are numbered
 */
record LakeStatement(String text, List<Object> values) {

    private static final String KEYS = """
            SELECT session_id, epoch_us(start_time), id
            FROM ({runs})
            ORDER BY start_time {direction}, id {direction}
            LIMIT {limit}
            """;

    // The columns and conditions of each selection: planning a union of all columns takes longer than reading few rows.
    private static final String RUNS = """
            SELECT session_id, start_time, id FROM {files}
            WHERE {rows} AND tenant_id = {tenant} AND session_id IN ({sessions}) AND {times} AND {condition}
            """;

    private static final String WHOLE_FILES = "read_parquet([%s], hive_partitioning = false, union_by_name = true)";
    private static final String SELECTED_ROWS = "read_parquet(%s, hive_partitioning = false, file_row_number = true)";

    LakeStatement {
        values = List.copyOf(values);
    }

    static LakeStatement of(LakeQuery query, List<FileRows> files) {
        Placeholders placeholders = new Placeholders(new ArrayList<>());
        String conditions = RUNS.replace("{tenant}", placeholders.of(query.tenantId().toString()))
                .replace("{sessions}", query.sessions().stream().map(session -> placeholders.of(session.toString()))
                        .collect(Collectors.joining(", ")))
                .replace("{times}", times(query, placeholders))
                .replace("{condition}", placeholders.of(query.condition()));
        String text = KEYS.replace("{limit}", placeholders.of((long) query.limit()))
                .replace("{direction}", query.descending() ? "DESC" : "ASC")
                .replace("{runs}", String.join("UNION ALL ", runs(conditions, files)));
        return new LakeStatement(text, placeholders.values());
    }

    private static String times(LakeQuery query, Placeholders placeholders) {
        String range = "start_time >= " + placeholders.of(time(query.from())) + " AND start_time < "
                + placeholders.of(time(query.to()));
        String order = query.descending() ? "<" : ">";
        // The first condition lets DuckDB skip row groups.
        return query.after().map(key -> {
            String start = placeholders.of(time(key.startTime()));
            return range + " AND start_time " + order + "= " + start + " AND (start_time " + order + " " + start + " OR id "
                    + order + " " + placeholders.of(key.id().toString()) + ")";
        }).orElse(range);
    }

    // One selection for each file and group of ranges: DuckDB skips other rows only there.
    private static List<String> runs(String conditions, List<FileRows> files) {
        List<String> selections = new ArrayList<>();
        List<FileRows> whole = files.stream().filter(file -> file.ranges().isEmpty()).toList();
        if (!whole.isEmpty()) {
            String paths = whole.stream().map(file -> DuckDb.quoted(file.path())).collect(Collectors.joining(", "));
            selections.add(conditions.replace("{files}", WHOLE_FILES.formatted(paths)).replace("{rows}", "TRUE"));
        }
        files.forEach(file -> file.groups().forEach(group -> selections.add(conditions
                .replace("{files}", SELECTED_ROWS.formatted(DuckDb.quoted(file.path()))).replace("{rows}", rows(group)))));
        return selections;
    }

    // DuckDB evaluates BETWEEN for vectors, but OR for every row of those that remain.
    private static String rows(List<RowRange> group) {
        String span = isIn(new RowRange(group.getFirst().first(), group.getLast().end()));
        return group.size() == 1 ? span
                : span + group.stream().map(LakeStatement::isIn).collect(Collectors.joining(" OR ", " AND (", ")"));
    }

    private static String isIn(RowRange range) {
        return "file_row_number BETWEEN " + range.first() + " AND " + (range.end() - 1);
    }

    private static Object time(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }

    /** Numbers placeholders, so that all selections share the values. */
    private record Placeholders(List<Object> values) {

        String of(Object value) {
            values.add(value);
            return "$" + values.size();
        }

        String of(DuckDbCondition condition) {
            StringBuilder sql = new StringBuilder();
            int next = 0;
            for (char character : condition.sql().toCharArray()) {
                sql.append(character == '?' ? of(condition.values().get(next++)) : String.valueOf(character));
            }
            return sql.toString();
        }
    }
}
