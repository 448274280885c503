package dev.waybill.export.schedule;

import java.util.List;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import dev.waybill.export.schedule.LateRowRepository.Counted;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Counts the rows that came too late for their window's export (docs/decisions/0016). */
@Singleton
class LateRowService {

    private static final Logger LOG = Logger.getLogger(LateRowService.class);
    private static final int AT_ONCE = 200;

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

    /** Counts those of every export whose turn it is. */
    Uni<Void> countAll() {
        return database.everyWorkspace(
                connection -> lateRows.claim(connection, config.lateFor(), config.lateEvery(), AT_ONCE))
                .chain(this::count);
    }

    private Uni<Void> count(List<Counted> claimed) {
        return Multi.createFrom().iterable(claimed)
                .onItem().transformToUniAndConcatenate(this::count)
                .collect().last()
                .chain(() -> claimed.size() == AT_ONCE ? countAll() : Uni.createFrom().voidItem());
    }

    private Uni<Void> count(Counted export) {
        return database.inWorkspace(export.tenantId(), connection -> lateRows.count(connection, export)
                .chain(late -> lateRows.note(connection, export, late)))
                .invoke(more -> tell(export, more))
                .onFailure().invoke(failure -> LOG.warnf(failure,
                        "late rows of an export could not be counted; a later turn tries again: tenant_id=%s export_id=%s",
                        export.tenantId(), export.exportId()))
                .onFailure().recoverWithNull()
                .replaceWithVoid();
    }

    private void tell(Counted export, long more) {
        if (more > 0) {
            metrics.late(more);
            LOG.infof("rows came too late for an export: tenant_id=%s export_id=%s rows=%d", export.tenantId(),
                    export.exportId(), more);
        }
    }
}
