package dev.waybill.experiment.summary;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Consumer;

import io.vertx.mutiny.sqlclient.Row;

/** Summary of the runs of a session that started in an hour. */
record HourSummary(UUID sessionId, Instant hour, Row row) {

    private static final int ID_BYTES = 16;

    static HourSummary of(Row row) {
        return new HourSummary(row.getUUID("session_id"), row.getOffsetDateTime("hour").toInstant(), row);
    }

    Instant end() {
        return hour.plusSeconds(Buckets.HOUR);
    }

    /** Passes the ancestors of its runs that did not start in the hour. */
    void ancestors(Consumer<Ancestor> consumer) {
        ByteBuffer buffer = buffer("ancestors");
        while (buffer.remaining() > ID_BYTES) {
            UUID id = id(buffer);
            byte flags = buffer.get();
            consumer.accept(new Ancestor(new RunKey(sessionId, id), (flags & 1) != 0, (flags & 2) != 0));
        }
    }

    /** Passes the runs whose usage is in the sums and that had not ended with the hour. */
    void openRuns(Consumer<OpenRun> consumer) {
        ByteBuffer buffer = buffer("open_runs");
        while (buffer.hasRemaining()) {
            consumer.accept(OpenRun.read(buffer, hour));
        }
    }

    /** Passes the ids of the other runs that had not ended with the hour. */
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

        Ancestor merge(Ancestor other) {
            return new Ancestor(key, tokens || other.tokens, costs || other.costs);
        }
    }
}
