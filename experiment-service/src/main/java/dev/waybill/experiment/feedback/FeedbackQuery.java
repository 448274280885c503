package dev.waybill.experiment.feedback;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.filter.StoredJson;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * The filters of a list of feedback; null or empty does not filter.
 *
 * @param level {@code run} or {@code session}
 */
record FeedbackQuery(List<UUID> runs, List<UUID> sessions, List<String> keys, List<String> sources, @Nullable String level,
        PageParameters page) {

    // Feedback that arrived before its run has no session id.
    static final String WHERE = """
            tenant_id = $1
                AND (cardinality($2::uuid[]) = 0 OR run_id = ANY($2))
                AND (cardinality($3::uuid[]) = 0 OR session_id = ANY($3) OR session_id IS NULL AND EXISTS (
                    SELECT FROM trace.run_places r WHERE r.tenant_id = $1 AND r.id = run_id AND r.session_id = ANY($3)))
                AND (cardinality($4::text[]) = 0 OR key = ANY($4))
                AND (cardinality($5::text[]) = 0 OR {source} ->> 'type' = ANY($5))
                AND ($6::text IS NULL OR (run_id IS NULL) = ($6 = 'session'))
            """.replace("{source}", StoredJson.document("source"));

    FeedbackQuery {
        if (level != null && !level.equals("run") && !level.equals("session")) {
            throw ProblemException.invalid(Violation.of("level", "must be run or session", "invalid"));
        }
        // PostgreSQL's text cannot contain U+0000, so no feedback can match.
        if (keys.stream().anyMatch(key -> key.indexOf(0) >= 0) || sources.stream().anyMatch(source -> source.indexOf(0) >= 0)) {
            throw ProblemException.invalid(Violation.of("key", "must not contain U+0000", "invalid"));
        }
    }

    Tuple values(UUID tenantId) {
        return Tuple.tuple()
                .addUUID(tenantId)
                .addArrayOfUUID(runs.toArray(UUID[]::new))
                .addArrayOfUUID(sessions.toArray(UUID[]::new))
                .addArrayOfString(keys.toArray(String[]::new))
                .addArrayOfString(sources.toArray(String[]::new))
                .addString(level);
    }
}
