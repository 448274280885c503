package dev.waybill.experiment.feedback;

import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.api.experiment.CreateFeedbackRequest;
import dev.waybill.common.id.Ids;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Writes feedback in the caller's transaction. */
@Singleton
public class FeedbackWriter {

    private static final String INSERT = """
            INSERT INTO trace.feedback (tenant_id, id, run_id, session_id, key, score, value, label, comment, correction,
                source, config, created_at, modified_at)
            SELECT $1, unnest($2::uuid[]), unnest($3::uuid[]), unnest($4::uuid[]), unnest($5::text[]),
                unnest($6::float8[]), unnest($7::text[]), unnest($8::text[]), unnest($9::text[]), unnest($10::text[]),
                unnest($11::text[]), unnest($12::text[]), unnest($13::timestamptz[]), unnest($14::timestamptz[])
            """;

    // The session of a run that does not exist yet is resolved when statistics are read.
    private static final String PUT = """
            INSERT INTO trace.feedback (tenant_id, id, run_id, session_id, key, score, value, label, comment, correction, source,
                config, extra, created_at, modified_at)
            VALUES ($1, $2, $3, coalesce((SELECT r.session_id FROM trace.run_places r WHERE r.tenant_id = $1 AND r.id = $3
                AND NOT EXISTS (SELECT FROM trace.session_removals removed
                    WHERE removed.tenant_id = $1 AND removed.session_id = r.session_id)), $4), $5,
                $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
            ON CONFLICT (tenant_id, id) DO UPDATE SET run_id = EXCLUDED.run_id, session_id = EXCLUDED.session_id,
                key = EXCLUDED.key, score = EXCLUDED.score, value = EXCLUDED.value, label = EXCLUDED.label,
                comment = EXCLUDED.comment, correction = EXCLUDED.correction, source = EXCLUDED.source,
                config = EXCLUDED.config, extra = EXCLUDED.extra, modified_at = EXCLUDED.modified_at
            RETURNING\s"""
            + FeedbackRepository.COLUMNS;

    private final ObjectMapper json;
    private final Ids ids;
    private final Clock clock;

    FeedbackWriter(ObjectMapper json, Ids ids, Clock clock) {
        this.json = json;
        this.ids = ids;
        this.clock = clock;
    }

    /** Inserts feedback, or replaces the feedback with this id; returns its row. */
    public Uni<Row> put(SqlConnection connection, UUID tenantId, CreateFeedbackRequest request) {
        return connection.preparedQuery(PUT).execute(row(tenantId, request)).map(rows -> rows.iterator().next());
    }

    private Tuple row(UUID tenantId, CreateFeedbackRequest request) {
        Instant now = clock.instant();
        return Tuple.tuple()
                .addUUID(tenantId)
                .addUUID(request.id() == null ? ids.newId() : request.id())
                .addUUID(request.runId())
                .addUUID(request.sessionId())
                .addString(request.key())
                .addDouble(FeedbackValues.score(request.score()))
                .addString(FeedbackValues.json(request.value()))
                .addString(FeedbackValues.label(request.value()))
                .addString(FeedbackValues.text(request.comment()))
                .addString(FeedbackValues.json(request.correction()))
                .addString(FeedbackValues.json(request.feedbackSource()))
                .addString(request.feedbackConfig() == null ? null : json.valueToTree(request.feedbackConfig()).toString())
                .addString(FeedbackValues.json(request.extra()))
                .addOffsetDateTime((request.createdAt() == null ? now : request.createdAt()).atOffset(ZoneOffset.UTC))
                .addOffsetDateTime((request.modifiedAt() == null ? now : request.modifiedAt()).atOffset(ZoneOffset.UTC));
    }

    /** Inserts feedback; {@code now} is the default creation time. */
    public Uni<Void> insert(SqlConnection connection, UUID tenantId, List<NewFeedback> feedback, Instant now) {
        if (feedback.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        Columns columns = new Columns(feedback);
        Tuple values = Tuple.tuple()
                .addUUID(tenantId)
                .addValue(columns.of(UUID[]::new, NewFeedback::id))
                .addValue(columns.of(UUID[]::new, NewFeedback::runId))
                .addValue(columns.of(UUID[]::new, NewFeedback::sessionId))
                .addValue(columns.scores(String[]::new, Score::key))
                .addValue(columns.scores(Double[]::new, Score::score))
                .addValue(columns.scores(String[]::new, Score::value))
                .addValue(columns.scores(String[]::new, Score::label))
                .addValue(columns.scores(String[]::new, Score::comment))
                .addValue(columns.scores(String[]::new, Score::correction))
                .addValue(columns.scores(String[]::new, Score::source))
                .addValue(columns.scores(String[]::new, Score::config))
                .addValue(columns.scores(OffsetDateTime[]::new, score -> utc(score.createdAt(), now)))
                .addValue(columns.scores(OffsetDateTime[]::new, score -> utc(score.modifiedAt(), now)));
        return connection.preparedQuery(INSERT)
                .execute(values)
                .replaceWithVoid();
    }

    private static OffsetDateTime utc(@Nullable Instant time, Instant now) {
        return (time == null ? now : time).atOffset(ZoneOffset.UTC);
    }

    /** The rows as columns, for {@code unnest}. */
    private record Columns(List<NewFeedback> rows) {

        <T> @Nullable T[] of(IntFunction<@Nullable T[]> array, Function<NewFeedback, @Nullable T> column) {
            @Nullable
            T[] values = array.apply(rows.size());
            for (int i = 0; i < values.length; i++) {
                values[i] = column.apply(rows.get(i));
            }
            return values;
        }

        <T> @Nullable T[] scores(IntFunction<@Nullable T[]> array, Function<Score, @Nullable T> column) {
            return of(array, row -> column.apply(row.score()));
        }
    }

    /**
     * Feedback to insert.
     *
     * @param runId the run; null for feedback on the whole session
     * @param sessionId the run's session, or the session that the feedback is on
     */
    public record NewFeedback(UUID id, @Nullable UUID runId, UUID sessionId, Score score) {
    }

    /**
     * The content of a feedback object (interface.md 2.7); absent members are null, JSON members are text.
     *
     * @param label the label that statistics count
     */
    public record Score(String key, @Nullable Double score, @Nullable String value, @Nullable String label,
            @Nullable String comment, @Nullable String correction, @Nullable String source, @Nullable String config,
            @Nullable Instant createdAt, @Nullable Instant modifiedAt) {
    }
}
