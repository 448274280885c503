package dev.waybill.local.traces;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

import dev.waybill.local.client.Json;

/** Writes generated runs of one session into a table of runs with COPY. */
final class RunCopy {

    static final String COLUMNS = """
            tenant_id, id, session_id, start_time, end_time, prompt_tokens, completion_tokens, total_tokens, trace_id,
            parent_run_id, total_cost, name, run_type, status, dotted_order, parent_run_ids, tags, error, inputs, outputs,
            extra, metadata""";

    private final UUID tenantId;
    private final UUID session;
    private final CopyText text = new CopyText();

    RunCopy(UUID tenantId, UUID session) {
        this.tenantId = tenantId;
        this.session = session;
    }

    /** @param option option of COPY, such as {@code FREEZE} */
    void copy(Connection connection, String table, RunGenerator generator, int count, String option) throws SQLException {
        CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI()
                .copyIn("COPY " + table + " (" + COLUMNS + ") FROM STDIN (" + option + ")");
        generator.generate(count, run -> write(copy, row(run)));
        copy.endCopy();
    }

    private byte[] row(GeneratedRun run) {
        SampleRun sample = run.sample();
        return text.value(tenantId)
                .value(run.id())
                .value(session)
                .value(run.startTime())
                .value(run.endTime())
                .value(sample.promptTokens())
                .value(sample.completionTokens())
                .value(sample.totalTokens())
                .value(run.traceId())
                .value(run.parents().isEmpty() ? null : run.parents().getLast())
                .value(sample.totalCost())
                .value(sample.name())
                .value(sample.runType())
                .value(sample.status())
                .value(run.dottedOrder())
                .array(run.parents())
                .array(sample.tags())
                .value(sample.error())
                .value(run.inputs())
                .value(run.outputs())
                .value(run.extra())
                .value(Json.bytes(Json.parse(run.extra()).path("metadata")))
                .line();
    }

    private static void write(CopyIn copy, byte[] row) {
        try {
            copy.writeToCopy(row, 0, row.length);
        } catch (SQLException e) {
            throw new IllegalStateException("the runs could not be loaded", e);
        }
    }
}
