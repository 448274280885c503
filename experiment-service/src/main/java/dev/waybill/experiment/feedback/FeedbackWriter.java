package dev.waybill.experiment.feedback;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Inserts feedback in batches, in the caller's transaction. */
@Singleton
public class FeedbackWriter {

    private static final String INSERT = """
            INSERT INTO trace.feedback (tenant_id, id, run_id, session_id, key, score, value, label, comment, correction,
                source, config, created_at, modified_at)
            SELECT $1, unnest($2::uuid[]), unnest($3::uuid[]), unnest($4::uuid[]), unnest($5::text[]),
                unnest($6::float8[]), unnest($7::text[]), unnest($8::text[]), unnest($9::text[]), unnest($10::text[]),
                unnest($11::text[]), unnest($12::text[]), unnest($13::timestamptz[]), unnest($14::timestamptz[])
            """;

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
}
