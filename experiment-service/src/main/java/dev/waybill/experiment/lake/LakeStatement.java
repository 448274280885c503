package dev.waybill.experiment.lake;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A DuckDB statement that reads the keys of runs from files.
 *
 * @param values the values of its placeholders in order
 */
record LakeStatement(String text, List<Object> values) {

    private static final String KEYS = """
            SELECT session_id, epoch_us(start_time), id
            FROM {runs}
            WHERE tenant_id = ? AND session_id IN ({sessions}) AND start_time >= ? AND start_time < ? {after} AND {condition}
            ORDER BY start_time {direction}, id {direction}
            LIMIT ?
            """;

    private static final String WHOLE_FILES = "read_parquet([%s], hive_partitioning = false, union_by_name = true)";
    private static final String SELECTED_ROWS = "read_parquet(%s, hive_partitioning = false, file_row_number = true) WHERE (%s)";

    LakeStatement {
        values = List.copyOf(values);
    }

    static LakeStatement of(LakeQuery query, List<FileRows> files) {
        List<Object> values = new ArrayList<>();
        values.add(query.tenantId().toString());
        query.sessions().forEach(session -> values.add(session.toString()));
        values.add(time(query.from()));
        values.add(time(query.to()));
        String order = query.descending() ? "<" : ">";
        // The first condition lets DuckDB skip row groups.
        String after = query.after().map(key -> {
            values.addAll(List.of(time(key.startTime()), time(key.startTime()), key.id().toString()));
            return "AND start_time " + order + "= ? AND (start_time " + order + " ? OR id " + order + " ?)";
        }).orElse("");
        values.addAll(query.condition().values());
        values.add((long) query.limit());
        String text = KEYS.replace("{runs}", runs(files))
                .replace("{sessions}", String.join(", ", Collections.nCopies(query.sessions().size(), "?")))
                .replace("{after}", after)
                .replace("{condition}", query.condition().sql())
                .replace("{direction}", query.descending() ? "DESC" : "ASC");
        return new LakeStatement(text, values);
    }

    // One selection for each file: DuckDB skips row groups without selected rows only there.
    private static String runs(List<FileRows> files) {
        List<String> selections = new ArrayList<>();
        List<FileRows> whole = files.stream().filter(file -> file.ranges().isEmpty()).toList();
        if (!whole.isEmpty()) {
            selections.add(WHOLE_FILES.formatted(
                    whole.stream().map(file -> DuckDb.quoted(file.path())).collect(Collectors.joining(", "))));
        }
        files.stream().filter(file -> !file.ranges().isEmpty()).forEach(file -> selections.add(SELECTED_ROWS.formatted(
                DuckDb.quoted(file.path()), file.ranges().stream()
                        .map(range -> "file_row_number BETWEEN " + range.first() + " AND " + (range.end() - 1))
                        .collect(Collectors.joining(" OR ")))));
        return selections.size() == 1 && !whole.isEmpty() ? selections.getFirst()
                : selections.stream().map(selection -> "FROM " + selection)
                        .collect(Collectors.joining(" UNION ALL BY NAME ", "(", ")"));
    }

    private static Object time(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }
}
