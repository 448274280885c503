package dev.waybill.bench;

import java.time.LocalDate;
import java.util.List;
import java.util.UUID;

/** SQL for the rows and columns of an export in PostgreSQL and DuckDB, for reference measurements. */
record ExportedRows(UUID tenantId, UUID sessionId, String sessionName, LocalDate day) {

    /** Columns that are read; all other exported columns are derived from them. */
    private static final String SOURCES = """
            id, trace_id, parent_run_id, parent_run_ids, dotted_order, name, run_type, status, start_time, end_time,
            first_token_time, inputs, outputs, error, events, extra, metadata, tags, reference_example_id, prompt_tokens,
            completion_tokens, total_tokens, prompt_cost, completion_cost, total_cost, manifest_id, trace_tier""";

    private static final String NARROW_SOURCES = SOURCES.replace("inputs, outputs, ", "");

    /** All exported fields except inputs and outputs. */
    static final List<String> NARROW_FIELDS = List.of("id", "trace_id", "parent_run_id", "parent_run_ids", "dotted_order",
            "session_id", "session_name", "name", "run_type", "status", "start_time", "end_time", "first_token_time", "latency",
            "error", "events", "extra", "metadata", "tags", "reference_example_id", "prompt_tokens", "completion_tokens",
            "total_tokens", "prompt_cost", "completion_cost", "total_cost", "feedback_stats", "manifest_id", "app_path",
            "trace_tier", "tenant_id", "is_root");

    private static final String CSV_TYPES = """
            {'id': 'VARCHAR', 'trace_id': 'VARCHAR', 'parent_run_id': 'VARCHAR', 'parent_run_ids': 'VARCHAR',
            'dotted_order': 'VARCHAR', 'name': 'VARCHAR', 'run_type': 'VARCHAR', 'status': 'VARCHAR',
            'start_time': 'TIMESTAMPTZ', 'end_time': 'TIMESTAMPTZ', 'first_token_time': 'TIMESTAMPTZ', 'inputs': 'VARCHAR',
            'outputs': 'VARCHAR', 'error': 'VARCHAR', 'events': 'VARCHAR', 'extra': 'VARCHAR', 'metadata': 'VARCHAR',
            'tags': 'VARCHAR', 'reference_example_id': 'VARCHAR', 'prompt_tokens': 'BIGINT', 'completion_tokens': 'BIGINT',
            'total_tokens': 'BIGINT', 'prompt_cost': 'DECIMAL(18,9)', 'completion_cost': 'DECIMAL(18,9)',
            'total_cost': 'DECIMAL(18,9)', 'manifest_id': 'VARCHAR', 'trace_tier': 'VARCHAR'}""";

    /** Returns a COPY statement without order, which is the cheapest way to read the rows. */
    String binaryCopy() {
        return "COPY (SELECT " + SOURCES + " FROM " + table() + ") TO STDOUT (FORMAT binary)";
    }

    /** Returns a COPY statement for a few of the rows, to warm up. */
    String fewRows() {
        return "COPY (SELECT " + SOURCES + " FROM " + table() + " LIMIT 10000) TO STDOUT (FORMAT binary)";
    }

    /** Returns like {@link #binaryCopy}, without inputs and outputs. */
    String narrowCopy() {
        return "COPY (SELECT " + NARROW_SOURCES + " FROM " + table() + ") TO STDOUT (FORMAT binary)";
    }

    String fewNarrowRows() {
        return "COPY (SELECT " + NARROW_SOURCES + " FROM " + table() + " LIMIT 10000) TO STDOUT (FORMAT binary)";
    }

    /** Returns a COPY statement for the rows as CSV in the order of the export. */
    String csvCopy() {
        return "COPY (SELECT " + SOURCES + " FROM " + table() + " ORDER BY start_time, id) TO STDOUT (FORMAT csv)";
    }

    /** Returns a DuckDB query that derives the columns of a {@code v2_beta} export from the CSV. */
    String columnsOfCsv(String file) {
        return """
                SELECT id, trace_id, parent_run_id, %s AS parent_run_ids, dotted_order, '%s' AS session_id,
                    '%s' AS session_name, name, run_type, status, start_time, end_time, first_token_time,
                    epoch_us(end_time - start_time) / 1e6 AS latency, inputs, outputs, error, events, extra, metadata,
                    %s AS tags, reference_example_id, prompt_tokens, completion_tokens, total_tokens, prompt_cost,
                    completion_cost, total_cost, CAST(NULL AS VARCHAR) AS feedback_stats, manifest_id,
                    '/o/%s/projects/p/%s/r/' || id || '?trace_id=' || trace_id || '&start_time='
                        || strftime(start_time::TIMESTAMP, '%%Y-%%m-%%dT%%H:%%M:%%S.%%fZ') AS app_path,
                    trace_tier, '%s' AS tenant_id, parent_run_id IS NULL AS is_root
                FROM read_csv('%s', header = false, auto_detect = false, delim = ',', quote = '"', escape = '"', nullstr = '',
                    allow_quoted_nulls = false, max_line_size = 16777216, columns = %s)""".formatted(
                list("parent_run_ids"), sessionId, sessionName, list("tags"), tenantId, sessionId, tenantId, file, CSV_TYPES);
    }

    private String table() {
        return "trace.runs WHERE tenant_id = '" + tenantId + "' AND session_id = '" + sessionId
                + "' AND start_time >= '" + day + "Z' AND start_time < '" + day.plusDays(1) + "Z'";
    }

    private static String list(String column) {
        return "CASE WHEN " + column + " = '{}' THEN [] ELSE string_split(" + column + "[2:-2], ',') END";
    }
}
