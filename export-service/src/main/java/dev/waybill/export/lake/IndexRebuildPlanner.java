package dev.waybill.export.lake;

import java.time.Duration;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import dev.waybill.common.lake.IndexFormat;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Plans the compaction of days whose files have no text index of the present version, the newest first. A planned day is read
 * from PostgreSQL until it is compacted, so only few days are planned at once, and none while another day waits.
 */
@Singleton
class IndexRebuildPlanner {

    private static final Duration INTERVAL = Duration.ofMinutes(1);
    /** Minimum age of the files: replicas of an earlier release would write them again without an index. */
    private static final Duration MIN_AGE = Duration.ofHours(1);
    private static final int MAX_DAYS = 10;
    private static final long MAX_BYTES = 256L << 20;

    // A later time than the interval was stored before the clock was set back. Of several replicas, one plans.
    private static final String PLAN = """
            WITH due AS (
                UPDATE lake.planning SET next_rebuild_at = now() + make_interval(secs => $1)
                WHERE singleton IN (
                        SELECT singleton FROM lake.planning
                        WHERE next_rebuild_at <= now() OR next_rebuild_at > now() + make_interval(secs => $1)
                        FOR UPDATE SKIP LOCKED)
                    AND NOT EXISTS (SELECT FROM lake.compactions
                        WHERE state IN ('pending', 'running') AND day < (now() AT TIME ZONE 'UTC')::date)
                RETURNING 1),
            found AS (
                SELECT c.tenant_id, c.day, c.bytes
                FROM (SELECT DISTINCT tenant_id, day FROM lake.files WHERE coalesce(index_version, 0) < $2) AS f
                JOIN lake.compactions AS c ON c.tenant_id = f.tenant_id AND c.day = f.day
                WHERE c.state = 'compacted' AND (c.compacted_at <= now() - make_interval(secs => $3) OR c.compacted_at > now())
                    AND EXISTS (SELECT FROM due)
                ORDER BY c.day DESC, c.tenant_id
                LIMIT $4),
            chosen AS (
                SELECT tenant_id, day, sum(bytes) OVER (ORDER BY day DESC, tenant_id) - bytes AS preceding_bytes FROM found)
            UPDATE lake.compactions AS c
            SET state = 'pending', pending_since = now(), attempts = 0, next_attempt_at = now()
            FROM chosen
            WHERE c.tenant_id = chosen.tenant_id AND c.day = chosen.day AND c.state = 'compacted'
                AND chosen.preceding_bytes < $5::bigint
            """;

    private final Database database;

    IndexRebuildPlanner(Database database) {
        this.database = database;
    }

    /** Plans the next days, at intervals. */
    Uni<Void> plan() {
        return database.everyWorkspace(connection -> connection.preparedQuery(PLAN)
                .execute(Tuple.of((double) INTERVAL.toSeconds(), IndexFormat.VERSION, (double) MIN_AGE.toSeconds(), MAX_DAYS,
                        MAX_BYTES)))
                .replaceWithVoid();
    }
}
