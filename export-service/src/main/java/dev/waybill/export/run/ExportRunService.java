package dev.waybill.export.run;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.export.BulkExportRunResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.Slice;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** The runs of exports: planned with the export, ended with it, and shown. */
@Singleton
public class ExportRunService {

    /** Of ranges up to a month every day is planned: runs that are stored before their day is read are exported. */
    private static final int PLANNED_WHOLE = 31;
    private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(5);

    private final Database database;
    private final ExportRunRepository runs;
    private final ExportLimits limits;
    private final Clock clock;

    ExportRunService(Database database, ExportRunRepository runs, ExportLimits limits, Clock clock) {
        this.database = database;
        this.runs = runs;
        this.limits = limits;
        this.clock = clock;
    }

    /** How many UTC days the range touches: as many runs an export of it has. */
    public static long days(Instant startTime, Instant endTime) {
        return Day.count(startTime, endTime);
    }

    /** Returns what is wrong with a range that ends in the future, by more than clocks differ. */
    public Optional<Violation> inFuture(Instant endTime) {
        return endTime.isAfter(clock.instant().plus(CLOCK_TOLERANCE))
                ? Optional.of(Violation.of("end_time",
                        "must not be in the future; export the range once it has passed, or order"
                                + " a scheduled export with interval_hours",
                        "future"))
                : Optional.empty();
    }

    /** What is wrong with a schedule that would have more days to catch up with than one export may have. */
    public Optional<Violation> tooOld(Instant startTime) {
        return startTime.isBefore(clock.instant().minus(limits.days(), ChronoUnit.DAYS))
                ? Optional.of(Violation.of("start_time", "lies more than " + limits.days()
                        + " days back; let the schedule begin later, and export what is older once", "too_long"))
                : Optional.empty();
    }

    /**
     * Makes one run for each UTC day of the range, in the transaction that makes the export. Of a long range these are the days
     * between the session's first and last run in it; its last day, where the session has none.
     */
    public Uni<Void> plan(SqlConnection connection, UUID tenantId, UUID exportId, Instant startTime, Instant endTime) {
        return Day.count(startTime, endTime) <= PLANNED_WHOLE
                ? runs.insert(connection, tenantId, exportId, Day.of(startTime, endTime))
                : runs.noteSnapshot(connection, tenantId, exportId)
                        .chain(() -> runs.firstAndLast(connection, tenantId, exportId))
                        .map(found -> found.map(times -> Day.between(startTime, endTime, times.first(), times.last()))
                                .orElseGet(() -> Day.between(startTime, endTime, endTime, endTime)))
                        .invoke(this::requireFewEnough)
                        .chain(days -> runs.insert(connection, tenantId, exportId, days));
    }

    private void requireFewEnough(List<Day> days) {
        if (days.size() > limits.runs()) {
            throw ProblemException.invalid(List.of(Violation.of("end_time", "leaves " + days.size()
                    + " days between the first and the last run of the range, at most " + limits.runs()
                    + " can be exported at once; split the range", "too_long")));
        }
    }

    /** Ends every run that has not ended, with its export; workers that hold one cannot write any more. */
    public Uni<Void> endUnfinished(SqlConnection connection, UUID tenantId, UUID exportId, RunState end) {
        return runs.endUnfinished(connection, tenantId, exportId, end);
    }

    Uni<BulkExportRunResponse> get(UUID tenantId, UUID exportId, UUID id) {
        return database.inWorkspace(tenantId, connection -> runs.find(connection, tenantId, exportId, id))
                .map(found -> found.stream()
                        .findFirst()
                        .orElseThrow(() -> ProblemException.notFound("run", id))
                        .toResponse());
    }

    Uni<Slice<BulkExportRunResponse>> list(UUID tenantId, UUID exportId, Page page) {
        return database.inWorkspace(tenantId, connection -> requireExport(connection, tenantId, exportId)
                .chain(() -> runs.list(connection, tenantId, exportId, page))
                .chain(found -> runs.count(connection, tenantId, exportId)
                        .map(total -> Slice.of(found, ExportRun::toResponse, total))));
    }

    Uni<Slice<BulkExportRunResponse>> listSpawned(UUID tenantId, UUID sourceId, Page page) {
        return database.inWorkspace(tenantId, connection -> requireExport(connection, tenantId, sourceId)
                .chain(() -> runs.listSpawned(connection, tenantId, sourceId, page))
                .chain(found -> runs.countSpawned(connection, tenantId, sourceId)
                        .map(total -> Slice.of(found, ExportRun::toResponse, total))));
    }

    private Uni<Void> requireExport(SqlConnection connection, UUID tenantId, UUID exportId) {
        return runs.exportExists(connection, tenantId, exportId)
                .chain(exists -> exists
                        ? Uni.createFrom().voidItem()
                        : Uni.createFrom().failure(ProblemException.notFound("export", exportId)));
    }
}
