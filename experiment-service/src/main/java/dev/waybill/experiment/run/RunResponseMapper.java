package dev.waybill.experiment.run;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.trace.RunResponse;
import dev.waybill.common.database.Rows;
import dev.waybill.common.time.Timestamps;
import io.vertx.mutiny.sqlclient.Row;

/** Maps rows to runs. JSON members remain text. */
public final class RunResponseMapper {

    private static final String SHORT_COLUMNS = """
            runs.id, runs.name, runs.run_type, runs.start_time, runs.end_time, runs.first_token_time, runs.status, runs.tags,
                runs.trace_id, runs.dotted_order, runs.parent_run_id, runs.parent_run_ids, runs.session_id,
                runs.reference_example_id, runs.prompt_tokens, runs.completion_tokens, runs.total_tokens, runs.prompt_cost,
                runs.completion_cost, runs.total_cost, runs.manifest_id, runs.trace_tier, runs.thread_id,
                extract(epoch FROM runs.end_time - runs.start_time)::float8 AS latency,
                (SELECT session.name FROM trace.sessions session
                WHERE session.tenant_id = runs.tenant_id AND session.id = runs.session_id) AS session_name""";

    private RunResponseMapper() {
    }

    /**
     * Returns the select list on {@code trace.runs} with the alias {@code runs}; reads long columns only if selected.
     */
    public static String columns(Set<RunField> selected) {
        return Arrays.stream(RunField.values())
                .filter(field -> field.selectExpression().isPresent())
                .map(field -> (selected.contains(field) ? field.selectExpression().orElseThrow() : "NULL::text") + " AS "
                        + field.wireName())
                .collect(Collectors.joining(", ", SHORT_COLUMNS + ", ", ""));
    }

    /** Maps a row with {@link #columns} to a run. */
    public static RunResponse read(UUID tenantId, Row row, AttachmentLinks links) {
        UUID id = row.getUUID("id");
        UUID sessionId = row.getUUID("session_id");
        UUID traceId = row.getUUID("trace_id");
        UUID parentRunId = row.getUUID("parent_run_id");
        Instant startTime = row.getOffsetDateTime("start_time").toInstant();
        // The same text as in exports, so that exported rows can be traced back to runs.
        String appPath = "/o/%s/projects/p/%s/r/%s?trace_id=%s&start_time=%s".formatted(tenantId, sessionId, id, traceId,
                Timestamps.format(startTime));
        return new RunResponse(id, row.getString("name"), row.getString("run_type"), startTime, Rows.instant(row, "end_time"),
                Rows.instant(row, "first_token_time"), row.getString("status"), row.getString("error"), row.getString("inputs"),
                row.getString("outputs"), row.getString("extra"), row.getString("events"), row.getString("serialized"),
                row.getString("metadata"), tags(row), traceId, row.getString("dotted_order"), parentRunId,
                Arrays.asList(row.getArrayOfUUIDs("parent_run_ids")), parentRunId == null, tenantId, sessionId,
                row.getString("session_name"), row.getUUID("reference_example_id"), row.getLong("prompt_tokens"),
                row.getLong("completion_tokens"), row.getLong("total_tokens"), row.getBigDecimal("prompt_cost"),
                row.getBigDecimal("completion_cost"), row.getBigDecimal("total_cost"), row.getDouble("latency"),
                row.getString("feedback_stats"), links.of(tenantId, id, row.getString("s3_urls")),
                row.getString("thread_id"), TextPreview.ofInputs(row.getString("inputs_preview")),
                TextPreview.ofOutputs(row.getString("outputs_preview")),
                row.getUUID("manifest_id"),
                row.getString("trace_tier"), appPath);
    }

    private static @Nullable List<String> tags(Row row) {
        String[] tags = row.getArrayOfStrings("tags");
        return tags == null ? null : Arrays.asList(tags);
    }
}
