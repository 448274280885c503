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
import dev.waybill.experiment.session.WorkspaceGate;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.pgclient.PgException;

/** Stores an upload in one transaction: all of it or nothing. */
@Singleton
class UploadStore {

    // Uploads of the same rows to different new datasets may meet the wrong way round; then one of them is told so.
    private static final Set<String> WORTH_REPEATING = Set.of("40001", "40P01");
    private static final int REPEATS = 5;

    private final Database database;
    private final RunPartitions partitions;
    private final WorkspaceGate gate;
    private final ExperimentWriter writer;

    UploadStore(Database database, RunPartitions partitions, WorkspaceGate gate, ExperimentWriter writer) {
        this.database = database;
        this.partitions = partitions;
        this.gate = gate;
        this.writer = writer;
    }

    /**
     * Completes once the upload is committed.
     *
     * @param pieces gives the rows from the first, as often as it is asked
     */
    Uni<UploadExperimentResponse> store(UUID tenantId, ParsedUpload upload, Supplier<Multi<List<RowFields>>> pieces) {
        return partitions
                .onDemand(database.inWorkspace(tenantId, connection -> gate.enter(connection, tenantId)
                        .chain(() -> writer.write(connection, tenantId, upload, pieces.get()))))
                .onFailure(UploadStore::isWorthRepeating).retry()
                .withBackOff(Duration.ofMillis(50), Duration.ofSeconds(1))
                .atMost(REPEATS);
    }

    private static boolean isWorthRepeating(Throwable failure) {
        return failure instanceof PgException told && WORTH_REPEATING.contains(told.getSqlState());
    }
}
