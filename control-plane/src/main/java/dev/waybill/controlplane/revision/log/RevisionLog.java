package dev.waybill.controlplane.revision.log;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import jakarta.inject.Singleton;

import dev.waybill.common.api.deployment.LogLineResponse;
import dev.waybill.common.api.deployment.RevisionLogsResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.database.Rows;
import dev.waybill.controlplane.revision.Revision;
import dev.waybill.controlplane.revision.RevisionService;
import dev.waybill.controlplane.revision.RevisionWaiters;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Stores and reads the logs of revisions; positions of lines begin at 0. */
@Singleton
public class RevisionLog {

    /** Maximum number of stored lines of a revision. */
    public static final int MAX_LINES = 10_000;

    /** Maximum number of lines of a page. */
    public static final int MAX_LIMIT = 1_000;

    private static final String LOCK_COUNT = """
            SELECT log_lines FROM deploy.revisions WHERE tenant_id = $1 AND id = $2 FOR UPDATE
            """;
    private static final String APPEND = """
            INSERT INTO deploy.log_lines (tenant_id, revision_id, position, at, phase, stream, line)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """;
    private static final String COUNT = """
            UPDATE deploy.revisions SET log_lines = $3 WHERE tenant_id = $1 AND id = $2
            """;
    private static final String PAGE = """
            SELECT at, phase, stream, line FROM deploy.log_lines
            WHERE tenant_id = $1 AND revision_id = $2 AND position >= $3
            ORDER BY position
            LIMIT $4
            """;

    private final Database database;
    private final RevisionService revisions;
    private final RevisionWaiters waiters;

    RevisionLog(Database database, RevisionService revisions, RevisionWaiters waiters) {
        this.database = database;
        this.revisions = revisions;
        this.waiters = waiters;
    }

    /** Returns the number of lines and locks the log against concurrent appends. */
    public Uni<Long> stored(SqlConnection connection, UUID tenantId, UUID revisionId) {
        return connection.preparedQuery(LOCK_COUNT)
                .execute(Tuple.of(tenantId, revisionId))
                .map(rows -> rows.iterator().next().getLong("log_lines"));
    }

    /** Appends lines at that position. */
    public Uni<Void> append(SqlConnection connection, UUID tenantId, UUID revisionId, long position, List<Line> lines) {
        List<Tuple> rows = IntStream.range(0, lines.size())
                .mapToObj(i -> tuple(tenantId, revisionId, position + i, lines.get(i)))
                .toList();
        return connection.preparedQuery(APPEND)
                .executeBatch(rows)
                .chain(() -> connection.preparedQuery(COUNT)
                        .execute(Tuple.of(tenantId, revisionId, position + lines.size())))
                .replaceWithVoid();
    }

    /**
     * Returns at most {@code limit} lines from that position; fails with 404 if the deployment does not have the
     * revision.
     */
    public Uni<RevisionLogsResponse> page(UUID tenantId, UUID deploymentId, UUID id, long position, int limit) {
        return database.inWorkspace(tenantId,
                connection -> revisions.require(connection, tenantId, deploymentId, id)
                        .chain(() -> connection.preparedQuery(PAGE).execute(Tuple.of(tenantId, id, position, limit))))
                .map(rows -> new RevisionLogsResponse(lines(rows), position + rows.rowCount()));
    }

    /**
     * Waits until the log has more than {@code position} lines, the revision has settled or the time has elapsed.
     * Callers check {@link #isFull} once before they begin to follow a log.
     */
    public Uni<Revision> awaitMore(UUID tenantId, UUID deploymentId, UUID id, long position, Duration wait) {
        return waiters.untilMatches(deploymentId, wait, () -> revisions.get(tenantId, deploymentId, id),
                found -> found.logLines() > position || found.isSettled());
    }

    /** Returns whether the maximum number of clients is waiting. */
    public boolean isFull() {
        return waiters.isFull();
    }

    private static Tuple tuple(UUID tenantId, UUID revisionId, long position, Line line) {
        return Tuple.of(tenantId, revisionId, position, line.at().atOffset(ZoneOffset.UTC), line.phase(), line.stream())
                .addString(line.text());
    }

    private static List<LogLineResponse> lines(RowSet<Row> rows) {
        return Rows.list(rows, row -> new LogLineResponse(Rows.requireInstant(row, "at"), row.getString("phase"),
                row.getString("stream"), row.getString("line"), null, null));
    }

    /** A stored line. */
    public record Line(Instant at, String phase, String stream, String text) {
    }
}
