package dev.waybill.export.preview;

import java.util.List;
import java.util.Objects;
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
    /** Counting and filtering, and both once more coarsely: each has its part of the time. */
    private static final int STATEMENTS = 4;
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
        Caps caps = new Caps(config.countedRows(), config.filteredRows());
        return count(tenantId, order, caps)
                .onFailure(RunCounter::isTimeUp).recoverWithUni(() -> count(tenantId, order, caps.coarse()))
                .map(Optional::of)
                .onFailure(RunCounter::isTimeUp).recoverWithItem(Optional::empty);
    }

    private Uni<RowCount> count(UUID tenantId, ExportOrder order, Caps caps) {
        return database.inWorkspace(tenantId, connection -> runs.onlyLook(connection, config.timeLimit().dividedBy(STATEMENTS))
                .chain(() -> runs.span(connection, tenantId, order.sessionId(), order.startTime(), order.endTime()))
                .chain(span -> span
                        .map(found -> count(connection, tenantId, order, found, caps))
                        .orElseGet(() -> Uni.createFrom().item(RowCount.NONE))));
    }

    private Uni<RowCount> count(SqlConnection connection, UUID tenantId, ExportOrder order, TimeSlice span, Caps caps) {
        List<TimeSlice> slices = TimeSlice.of(span.startTime(), span.endTime(), SLICES);
        int limit = Math.max(1, caps.counted() / slices.size());
        String filter = order.filter();
        return runs.count(connection, tenantId, order.sessionId(), slices, limit)
                .chain(counts -> filter == null
                        ? Uni.createFrom().item(RowCount.ofAll(counts, limit))
                        : filtered(connection, tenantId, order, counts, limit, caps));
    }

    // Where there are few runs the filter is asked of all of them, however they lie in the slices.
    private Uni<RowCount> filtered(SqlConnection connection, UUID tenantId, ExportOrder order, List<SliceCount> counts,
            int limit,
            Caps caps) {
        RowCount all = RowCount.ofAll(counts, limit);
        int filterLimit = all.rows() < caps.filtered() ? caps.filtered() : Math.max(1, caps.filtered() / counts.size());
        Filter filter = FilterParser.parse(Objects.requireNonNull(order.filter()));
        return runs.filter(connection, tenantId, order.sessionId(), counts, filter, filterLimit)
                .map(filtered -> RowCount.ofMatching(filtered, limit, filterLimit));
    }

    private static boolean isTimeUp(Throwable failure) {
        return failure instanceof PgException refused && TIME_IS_UP.equals(refused.getSqlState());
    }

    /** How many runs may be counted, and of how many the filter may be asked. */
    private record Caps(int counted, int filtered) {

        /** Little enough to be done even where nothing is in memory and every document is large. */
        Caps coarse() {
            return new Caps(counted / 50, filtered / 50);
        }
    }
}
