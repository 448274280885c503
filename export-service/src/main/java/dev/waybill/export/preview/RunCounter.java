package dev.waybill.export.preview;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import dev.waybill.common.filter.Filter;
import dev.waybill.common.filter.FilterParser;
import dev.waybill.export.job.ExportOrder;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.pgclient.PgException;

/**
 * Says how many runs an order is about: exactly as far as it may count, else from slices of the time between the first run and
 * the last, in each of which the first runs are looked at.
 */
@Singleton
class RunCounter {

    private static final int SLICES = 20;
    private static final String TIME_IS_UP = "57014";

    private final Database database;
    private final PreviewRepository runs;
    private final PreviewConfig config;

    RunCounter(Database database, PreviewRepository runs, PreviewConfig config) {
        this.database = database;
        this.runs = runs;
        this.config = config;
    }

    /** The number of runs; empty when the time was up before there was one. */
    Uni<Optional<RowCount>> count(UUID tenantId, ExportOrder order) {
        return database.inWorkspace(tenantId, connection -> runs.onlyLook(connection, config.timeLimit().dividedBy(2))
                .chain(() -> runs.span(connection, tenantId, order.sessionId(), order.startTime(), order.endTime()))
                .chain(span -> span
                        .map(found -> count(connection, tenantId, order,
                                TimeSlice.of(found.startTime(), found.endTime(), SLICES)))
                        .orElseGet(() -> Uni.createFrom().item(RowCount.NONE))))
                .map(Optional::of)
                .onFailure(RunCounter::isTimeUp).recoverWithItem(Optional::empty);
    }

    private Uni<RowCount> count(SqlConnection connection, UUID tenantId, ExportOrder order, List<TimeSlice> slices) {
        int limit = Math.max(1, config.countedRows() / slices.size());
        String filter = order.filter();
        return runs.count(connection, tenantId, order.sessionId(), slices, limit)
                .chain(counts -> filter == null
                        ? Uni.createFrom().item(RowCount.ofAll(counts, limit))
                        : filtered(connection, tenantId, order.sessionId(), counts, limit, FilterParser.parse(filter)));
    }

    // Where there are few runs the filter is asked of all of them, however they lie in the slices.
    private Uni<RowCount> filtered(SqlConnection connection, UUID tenantId, UUID sessionId, List<SliceCount> counts, int limit,
            Filter filter) {
        RowCount all = RowCount.ofAll(counts, limit);
        int filterLimit = all.rows() < config.filteredRows() ? config.filteredRows()
                : Math.max(1, config.filteredRows() / counts.size());
        return runs.filter(connection, tenantId, sessionId, counts, filter, filterLimit)
                .map(filtered -> RowCount.ofMatching(filtered, limit, filterLimit));
    }

    private static boolean isTimeUp(Throwable failure) {
        return failure instanceof PgException refused && TIME_IS_UP.equals(refused.getSqlState());
    }
}
