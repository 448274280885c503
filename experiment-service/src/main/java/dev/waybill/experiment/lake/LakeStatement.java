package dev.waybill.experiment.lake;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A DuckDB statement that reads the keys of runs from files.
 *
 * @param values the values of its placeholders in order
 */
record LakeStatement(String text, List<Object> values) {

    private static final String KEYS = """
            SELECT session_id, epoch_us(start_time), id
            FROM read_parquet([{files}], hive_partitioning = false, union_by_name = true)
            WHERE tenant_id = ? AND session_id IN ({sessions}) AND start_time >= ? AND start_time < ? {after} AND {condition}
            ORDER BY start_time {direction}, id {direction}
            LIMIT ?
            """;

    LakeStatement {
        values = List.copyOf(values);
    }

    /** @param files paths of the files as literals */
    static LakeStatement of(LakeQuery query, List<String> files) {
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
        String text = KEYS.replace("{files}", String.join(", ", files))
                .replace("{sessions}", String.join(", ", Collections.nCopies(query.sessions().size(), "?")))
                .replace("{after}", after)
                .replace("{condition}", query.condition().sql())
                .replace("{direction}", query.descending() ? "DESC" : "ASC");
        return new LakeStatement(text, values);
    }

    private static Object time(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }
}
