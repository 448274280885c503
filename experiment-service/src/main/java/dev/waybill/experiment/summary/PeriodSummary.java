package dev.waybill.experiment.summary;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Consumer;

import io.vertx.mutiny.sqlclient.Row;

/**
 * Summary of the runs of a session that started in an hour or a day, without its figures.
 *
 * @param seconds length of the period
 * @param row the columns ancestors, open_runs and other_open_runs; of a reader also the version, which each writer changes
 */
record PeriodSummary(UUID sessionId, Instant start, long seconds, Row row) {

    static final int ID_BYTES = 16;

    static PeriodSummary ofHour(Row row) {
        return new PeriodSummary(row.getUUID("session_id"), row.getOffsetDateTime("hour").toInstant(), Buckets.HOUR, row);
    }

    static PeriodSummary ofDay(Row row) {
        return new PeriodSummary(row.getUUID("session_id"), row.getOffsetDateTime("day").toInstant(), Buckets.DAY, row);
    }

    Instant end() {
        return start.plusSeconds(seconds);
    }

    boolean isDay() {
        return seconds == Buckets.DAY;
    }

    Version version() {
        return new Version(start, seconds, row.getLong("version"));
    }

    /** Passes the ancestors of its runs that did not start in the period. */
    void ancestors(Consumer<Ancestor> consumer) {
        ByteBuffer buffer = buffer("ancestors");
        while (buffer.remaining() > ID_BYTES) {
            UUID id = id(buffer);
            byte flags = buffer.get();
            consumer.accept(new Ancestor(new RunKey(sessionId, id), (flags & 1) != 0, (flags & 2) != 0));
        }
    }

    /** Passes the runs whose usage is in the sums and that had not ended with the period. */
    void openRuns(Consumer<OpenRun> consumer) {
        ByteBuffer buffer = buffer("open_runs");
        while (buffer.hasRemaining()) {
            consumer.accept(OpenRun.read(buffer, start));
        }
    }

    /** Passes the ids of the other runs that had not ended with the period. */
    void otherOpenRuns(Consumer<UUID> consumer) {
        ByteBuffer buffer = buffer("other_open_runs");
        while (buffer.hasRemaining()) {
            consumer.accept(id(buffer));
        }
    }

    private ByteBuffer buffer(String column) {
        byte[] bytes = RunFigures.bytes(row, column);
        return ByteBuffer.wrap(bytes == null ? new byte[0] : bytes);
    }

    private static UUID id(ByteBuffer buffer) {
        return new UUID(buffer.getLong(), buffer.getLong());
    }

    /**
     * Identifies the content of a summary of a session.
     *
     * @param transaction the transaction that stored it
     */
    record Version(Instant start, long seconds, long transaction) {
    }

    /** Identifies a run within a workspace; ancestors in other sessions do not count. */
    record RunKey(UUID sessionId, UUID id) {
    }

    /**
     * An ancestor of runs with usage, which may not exist.
     *
     * @param tokens whether a descendant has tokens
     * @param costs whether a descendant has costs
     */
    record Ancestor(RunKey key, boolean tokens, boolean costs) {

        static final int BYTES = ID_BYTES + 1;

        Ancestor merge(Ancestor other) {
            return new Ancestor(key, tokens || other.tokens, costs || other.costs);
        }

        void write(ByteBuffer buffer) {
            buffer.putLong(key.id().getMostSignificantBits())
                    .putLong(key.id().getLeastSignificantBits())
                    .put((byte) ((tokens ? 1 : 0) + (costs ? 2 : 0)));
        }
    }
}
