package dev.waybill.export.run;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Finds uploads that were left behind, and notes that they are gone. */
@Singleton
public class SweepService {

    /** For a worker to notice that its run has ended, and abort its uploads itself. */
    private static final Duration SETTLED = Duration.ofSeconds(3);

    private final Database database;
    private final SweepRepository sweeps;
    private final AttemptRepository attempts;

    SweepService(Database database, SweepRepository sweeps, AttemptRepository attempts) {
        this.database = database;
        this.sweeps = sweeps;
        this.attempts = attempts;
    }

    /** Some runs that ended and may have left uploads which nobody aborted yet; each comes again after a pause. */
    public Uni<List<Leftover>> claim(int most) {
        return database.everyWorkspace(connection -> sweeps.claim(connection, SETTLED, most));
    }

    /** The uploads that the database knows of, keys by upload id. */
    public Uni<Map<String, String>> known(Leftover leftover) {
        return database.inWorkspace(leftover.tenantId(), connection -> known(connection, leftover));
    }

    /** The keys that the run's commit record speaks of, if it has one: perhaps some of these files are visible. */
    public Uni<List<String>> committedKeys(Leftover leftover) {
        return database.inWorkspace(leftover.tenantId(),
                connection -> sweeps.committed(connection, leftover.tenantId(), leftover.runId()))
                .map(keysByUploadId -> List.copyOf(keysByUploadId.values()));
    }

    /** Forgets the uploads of a run: they are aborted. */
    public Uni<Void> swept(Leftover leftover) {
        return database.inWorkspace(leftover.tenantId(), connection -> attempts
                .forgetUploads(connection, leftover.tenantId(), leftover.runId())
                .chain(() -> attempts.forgetCheckpoints(connection, leftover.tenantId(), leftover.runId()))
                .chain(() -> sweeps.clean(connection, leftover.tenantId(), leftover.runId())));
    }

    /** Forgets the uploads of a run's earlier attempts, while a new one is under way. */
    public Uni<Void> forget(UUID tenantId, UUID runId) {
        return database.inWorkspace(tenantId, connection -> attempts.forgetUploads(connection, tenantId, runId));
    }

    private Uni<Map<String, String>> known(SqlConnection connection, Leftover leftover) {
        return sweeps.uploads(connection, leftover.tenantId(), leftover.runId())
                .chain(open -> sweeps.committed(connection, leftover.tenantId(), leftover.runId())
                        .map(committed -> {
                            Map<String, String> all = new HashMap<>(open);
                            all.putAll(committed);
                            return all;
                        }));
    }
}
