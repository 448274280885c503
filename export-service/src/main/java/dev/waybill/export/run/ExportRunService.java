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

/** Plans, ends and reads the runs of exports. */
@Singleton
public class ExportRunService {

    /** Up to this length every day of a range is planned, so that runs stored before their day is read are exported. */
    private static final int MAX_DAYS_PLANNED_INDIVIDUALLY = 31;
    private static final int MAX_RUNS = 50_000;
    private static final int MAX_SCHEDULE_AGE_DAYS = 3700;
    private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(5);

    private final Database database;
    private final ExportRunRepository runs;
    private final Clock clock;

    ExportRunService(Database database, ExportRunRepository runs, Clock clock) {
        this.database = database;
        this.runs = runs;
        this.clock = clock;
    }

    /** Returns the number of UTC days that the range overlaps, which is the maximum number of its runs. */
    public static long days(Instant startTime, Instant endTime) {
        return DayPartition.count(startTime, endTime);
    }

    /** Returns a violation when the range ends in the future by more than the clock tolerance. */
    public Optional<Violation> checkRangeEnd(Instant endTime) {
        return endTime.isAfter(clock.instant().plus(CLOCK_TOLERANCE))
                ? Optional.of(Violation.of("end_time",
                        "must not be in the future; export the range after its end, or create"
                                + " a scheduled export with interval_hours",
                        "future"))
                : Optional.empty();
    }

    /** Returns a violation when a schedule starts so long ago that it would have too many windows to catch up with. */
    public Optional<Violation> checkScheduleStart(Instant startTime) {
        return startTime.isBefore(clock.instant().minus(MAX_SCHEDULE_AGE_DAYS, ChronoUnit.DAYS))
                ? Optional.of(Violation.of("start_time", "must not be more than " + MAX_SCHEDULE_AGE_DAYS
                        + " days in the past; start the schedule later, and export older runs with a one-off export",
                        "too_long"))
                : Optional.empty();
    }

    /**
     * Creates one run for each UTC day of the range, in the transaction that creates the export. A long range is planned from
     * the session's first to its last run in it, or as its last day when the session has no run.
     */
    public Uni<Void> plan(SqlConnection connection, UUID tenantId, UUID exportId, Instant startTime, Instant endTime) {
        return DayPartition.count(startTime, endTime) <= MAX_DAYS_PLANNED_INDIVIDUALLY
                ? runs.insert(connection, tenantId, exportId, DayPartition.of(startTime, endTime))
                : runs.recordSnapshot(connection, tenantId, exportId)
                        .chain(() -> runs.firstAndLast(connection, tenantId, exportId))
                        .map(found -> found.map(times -> DayPartition.between(startTime, endTime, times.first(), times.last()))
                                .orElseGet(() -> DayPartition.between(startTime, endTime, endTime, endTime)))
                        .invoke(this::requireMaxRuns)
                        .chain(days -> runs.insert(connection, tenantId, exportId, days));
    }

    private void requireMaxRuns(List<DayPartition> days) {
        if (days.size() > MAX_RUNS) {
            throw ProblemException.invalid(List.of(Violation.of("end_time", "results in " + days.size()
                    + " days between the first and the last run of the range, but one export has at most " + MAX_RUNS
                    + "; split the range", "too_long")));
        }
    }

    /** Ends all unfinished runs of an export; the workers that hold them lose their leases. */
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
