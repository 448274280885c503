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

/** Writes feedback in sets, inside the caller's transaction. */
@Singleton
public class FeedbackWriter {

    private static final String INSERT = """
            INSERT INTO trace.feedback (tenant_id, id, run_id, session_id, key, score, value, label, comment, correction,
                source, config, created_at, modified_at)
            SELECT $1, unnest($2::uuid[]), unnest($3::uuid[]), unnest($4::uuid[]), unnest($5::text[]),
                unnest($6::float8[]), unnest($7::text[]), unnest($8::text[]), unnest($9::text[]), unnest($10::text[]),
                unnest($11::text[]), unnest($12::text[]), unnest($13::timestamptz[]), unnest($14::timestamptz[])
            """;

    /** Stores new feedback, made at {@code now} where it does not say when. */
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
                .addValue(columns.said(String[]::new, Score::key))
                .addValue(columns.said(Double[]::new, Score::score))
                .addValue(columns.said(String[]::new, Score::value))
                .addValue(columns.said(String[]::new, Score::label))
                .addValue(columns.said(String[]::new, Score::comment))
                .addValue(columns.said(String[]::new, Score::correction))
                .addValue(columns.said(String[]::new, Score::source))
                .addValue(columns.said(String[]::new, Score::config))
                .addValue(columns.said(OffsetDateTime[]::new, said -> utc(said.createdAt(), now)))
                .addValue(columns.said(OffsetDateTime[]::new, said -> utc(said.modifiedAt(), now)));
        return connection.preparedQuery(INSERT)
                .execute(values)
                .replaceWithVoid();
    }

    private static OffsetDateTime utc(@Nullable Instant time, Instant now) {
        return (time == null ? now : time).atOffset(ZoneOffset.UTC);
    }

    /** The same rows, column by column. */
    private record Columns(List<NewFeedback> rows) {

        <T> @Nullable T[] of(IntFunction<@Nullable T[]> array, Function<NewFeedback, @Nullable T> column) {
            @Nullable
            T[] values = array.apply(rows.size());
            for (int i = 0; i < values.length; i++) {
                values[i] = column.apply(rows.get(i));
            }
            return values;
        }

        <T> @Nullable T[] said(IntFunction<@Nullable T[]> array, Function<Score, @Nullable T> column) {
            return of(array, row -> column.apply(row.judgement()));
        }
    }
}
