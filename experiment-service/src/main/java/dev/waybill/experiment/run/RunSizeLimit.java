package dev.waybill.experiment.run;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.trace.RunSize;

/** Rejects runs that are too large to be exported. */
public final class RunSizeLimit {

    /**
     * Patches up to this size skip the check of the stored run: a run has few members, and the export limit is slightly
     * larger than the intake limit.
     */
    static final int UNCHECKED_PATCH_BYTES = 128 * 1024;

    /** Returns the id and size of a patched run that is too large. */
    static final String TOO_LARGE = """
            SELECT id, bytes FROM (
                SELECT runs.id, {bytes} AS bytes FROM trace.runs
                WHERE tenant_id = $1 AND (session_id, start_time, id) IN (
                    SELECT place.session_id, place.start_time, place.id FROM trace.run_places place
                    WHERE place.tenant_id = $1 AND place.id = ANY($2))) AS changed
            WHERE bytes > $3 LIMIT 1
            """.replace("{bytes}", RunSize.COLUMNS.stream()
            .map(column -> "coalesce(octet_length("
                    + (column.equals("tags") ? "array_to_string(runs.tags, '')" : "runs." + column) + "), 0)::bigint")
            .collect(Collectors.joining(" + ")));

    private RunSizeLimit() {
    }

    /** Responds with 413 if the texts of the run are too large. */
    public static void check(ReceivedRun run) {
        long bytes = bytes(run);
        if (bytes > RunSize.MAX_BYTES) {
            throw tooLarge(run.id(), bytes);
        }
    }

    static ProblemException tooLarge(UUID id, long bytes) {
        return new ProblemException(CommonProblem.TOO_LARGE,
                ("The run %s would have %s bytes of text, more than the %s that an export"
                        + " can write. Send less in inputs and outputs, or send large contents as attachments.")
                        .formatted(id, bytes, RunSize.MAX_BYTES))
                .with("limit", RunSize.MAX_BYTES);
    }

    /** Returns the size in bytes of the texts that {@link RunSize} includes. */
    static long bytes(ReceivedRun run) {
        List<String> tags = run.tags == null ? List.of() : run.tags;
        return run.size() - (run.serialized == null ? 0 : run.serialized.length()) + bytes(run.name) + bytes(run.error)
                + tags.stream().mapToLong(RunSizeLimit::bytes).sum();
    }

    private static long bytes(@Nullable String text) {
        return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    }
}
