package dev.waybill.experiment.upload;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import jakarta.inject.Singleton;

import dev.waybill.common.api.experiment.UploadExperimentResponse;
import dev.waybill.common.database.Database;
import dev.waybill.experiment.partition.RunPartitions;
import dev.waybill.experiment.session.WorkspaceLock;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.pgclient.PgException;

/** Stores an upload in one transaction. */
@Singleton
class UploadStore {

    // Concurrent uploads of the same rows to different new datasets can deadlock; the transaction is retried.
    private static final Set<String> RETRYABLE_SQL_STATES = Set.of("40001", "40P01");
    private static final int MAX_RETRIES = 5;

    private final Database database;
    private final RunPartitions partitions;
    private final WorkspaceLock workspaceLock;
    private final ExperimentWriter writer;

    UploadStore(Database database, RunPartitions partitions, WorkspaceLock workspaceLock, ExperimentWriter writer) {
        this.database = database;
        this.partitions = partitions;
        this.workspaceLock = workspaceLock;
        this.writer = writer;
    }

    /**
     * Completes when the upload is committed.
     *
     * @param batches supplies the rows from the first on; called again when the transaction is retried
     */
    Uni<UploadExperimentResponse> store(UUID tenantId, ParsedUpload upload, Supplier<Multi<List<RowFields>>> batches) {
        return partitions
                .withPartitions(database.inWorkspace(tenantId, connection -> workspaceLock.acquireShared(connection, tenantId)
                        .chain(() -> writer.write(connection, tenantId, upload, batches.get()))))
                .onFailure(UploadStore::isRetryable).retry()
                .withBackOff(Duration.ofMillis(50), Duration.ofSeconds(1))
                .atMost(MAX_RETRIES);
    }

    private static boolean isRetryable(Throwable failure) {
        return failure instanceof PgException error && RETRYABLE_SQL_STATES.contains(error.getSqlState());
    }
}
