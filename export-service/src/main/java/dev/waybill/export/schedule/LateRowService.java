package dev.waybill.export.schedule;

import java.time.Duration;
import java.util.List;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import dev.waybill.export.schedule.LateRowRepository.CompletedExport;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Counts rows that were stored after their window was exported (docs/decisions/0016). */
@Singleton
class LateRowService {

    private static final Logger LOG = Logger.getLogger(LateRowService.class);
    private static final int BATCH_SIZE = 200;
    private static final Duration MAX_EXPORT_AGE = Duration.ofDays(7);

    private final Database database;
    private final LateRowRepository lateRows;
    private final ScheduleMetrics metrics;
    private final ScheduleConfig config;

    LateRowService(Database database, LateRowRepository lateRows, ScheduleMetrics metrics, ScheduleConfig config) {
        this.database = database;
        this.lateRows = lateRows;
        this.metrics = metrics;
        this.config = config;
    }

    /** Counts the late rows of all due exports. */
    @Scheduled(identity = "late-rows", every = "{waybill.export.schedule.late-rows-interval}", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> countAll() {
        return database.everyWorkspace(
                connection -> lateRows.claim(connection, MAX_EXPORT_AGE, config.lateRowsInterval(), BATCH_SIZE))
                .chain(this::count);
    }

    private Uni<Void> count(List<CompletedExport> claimed) {
        return Multi.createFrom().iterable(claimed)
                .onItem().transformToUniAndConcatenate(this::count)
                .collect().last()
                .chain(() -> claimed.size() == BATCH_SIZE ? countAll() : Uni.createFrom().voidItem());
    }

    private Uni<Void> count(CompletedExport export) {
        return database.inWorkspace(export.tenantId(), connection -> lateRows.count(connection, export)
                .chain(late -> lateRows.recordCount(connection, export, late)))
                .invoke(increase -> report(export, increase))
                .onFailure().invoke(failure -> LOG.warnf(failure,
                        "could not count the late rows of an export; the count is retried: tenant_id=%s export_id=%s",
                        export.tenantId(), export.exportId()))
                .onFailure().recoverWithNull()
                .replaceWithVoid();
    }

    private void report(CompletedExport export, long increase) {
        if (increase > 0) {
            metrics.late(increase);
            LOG.infof("rows were stored after their export: tenant_id=%s export_id=%s rows=%d", export.tenantId(),
                    export.exportId(), increase);
        }
    }
}
