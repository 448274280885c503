package dev.waybill.experiment.summary;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.summary.CountedUsage.CountedRun;
import dev.waybill.experiment.summary.CountedUsage.RunStart;
import dev.waybill.experiment.summary.PeriodSummary.Ancestor;
import dev.waybill.experiment.summary.PeriodSummary.RunKey;
import io.vertx.mutiny.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;

/** Summary of the runs of a session that started in a day, merged from those of its hours. */
final class DailySummary {

    /** A larger number of different durations is rounded. */
    static final int MAX_EXACT_VALUES = 400;

    private final Instant day;
    private final ValidSummaries hours;
    private final RunFigures figures = new RunFigures();
    private final Collection<Ancestor> ancestors;
    private final List<Ancestor> unknown;

    /** Merges rows of trace.run_summaries. */
    DailySummary(Instant day, List<Row> rows) {
        this.day = day;
        hours = new ValidSummaries(rows.stream().map(PeriodSummary::ofHour).toList());
        rows.forEach(figures::add);
        ancestors = hours.ancestors();
        unknown = hours.unknown(ancestors);
    }

    /** Returns the ids of runs and ancestors whose start and end it must know. */
    UUID[] unknownRuns() {
        return Stream
                .of(unknown.stream().map(Ancestor::key), hours.openRuns().keySet().stream(), hours.otherOpenRuns().stream())
                .flatMap(keys -> keys)
                .map(RunKey::id)
                .toArray(UUID[]::new);
    }

    /** Returns the ancestors that no hour lists as open. */
    List<Ancestor> unknownAncestors() {
        return unknown;
    }

    /** Returns the hour that contains the start of a run. */
    Optional<PeriodSummary> hourOf(RunStart run) {
        return hours.periodOf(run);
    }

    /** Adds ancestors that had ended with their hours. */
    void add(List<CountedRun> ended) {
        hours.add(ended);
    }

    /** Returns the columns of trace.run_daily_summaries from `runs`, with the ancestors last. */
    Tuple columns(UUID tenantId, UUID sessionId, Map<UUID, FoundRun> found) {
        List<OpenRun> open = new ArrayList<>();
        List<UUID> others = new ArrayList<>();
        subtractAncestors().forEach(run -> {
            FoundRun state = found.get(run.id());
            if (state != null && state.isOpenAt(end())) {
                if (run.hasUsage()) {
                    open.add(run);
                } else {
                    others.add(run.id());
                }
            }
        });
        for (RunKey key : hours.otherOpenRuns()) {
            FoundRun state = found.get(key.id());
            if (state != null && state.isOpenAt(end())) {
                others.add(key.id());
            }
        }
        boolean isListed = open.size() + others.size() <= SummaryStatement.MAX_LINKS;
        Tuple columns = Tuple.of(tenantId, sessionId, day.atOffset(ZoneOffset.UTC));
        addFigures(columns);
        add(columns, write(earlierAncestors(found)));
        add(columns, isListed ? writeRuns(open) : null);
        add(columns, isListed ? writeIds(others) : null);
        return columns;
    }

    // The usage of a run does not count if descendants in a later hour have usage.
    private List<OpenRun> subtractAncestors() {
        Map<RunKey, OpenRun> runs = hours.openRuns();
        for (Ancestor ancestor : ancestors) {
            OpenRun run = runs.get(ancestor.key());
            if (run != null) {
                figures.subtract(run, ancestor.tokens(), ancestor.costs());
                runs.put(ancestor.key(), run.without(ancestor.tokens(), ancestor.costs()));
            }
        }
        return List.copyOf(runs.values());
    }

    /** Returns the ancestors that did not start in the day. */
    private List<Ancestor> earlierAncestors(Map<UUID, FoundRun> found) {
        return unknown.stream()
                .filter(ancestor -> {
                    FoundRun run = found.get(ancestor.key().id());
                    return run == null || !startedInDay(run);
                })
                .toList();
    }

    private void addFigures(Tuple columns) {
        RunFigures.Group all = figures.all();
        RunFigures.Group roots = figures.roots();
        addCounts(columns, all);
        addCounts(columns, roots);
        columns.addArrayOfString(all.usage().sums())
                .addArrayOfLong(all.usage().counts())
                .addArrayOfString(roots.usage().sums());
        for (RunFigures.Group group : List.of(all, roots)) {
            add(columns, group.latencies().toBytes(MAX_EXACT_VALUES));
            add(columns, group.firstTokens().toBytes(MAX_EXACT_VALUES));
        }
    }

    private static void addCounts(Tuple columns, RunFigures.Group group) {
        Instant last = group.lastStart();
        OffsetDateTime lastStart = last == null ? null : last.atOffset(ZoneOffset.UTC);
        columns.addLong(group.runs()).addLong(group.errors()).addLong(group.streamed()).addOffsetDateTime(lastStart);
    }

    private static void add(Tuple columns, byte @Nullable [] bytes) {
        if (bytes == null) {
            columns.addValue(null);
        } else {
            columns.addBuffer(Buffer.buffer(bytes));
        }
    }

    private static byte[] write(List<Ancestor> ancestors) {
        ByteBuffer buffer = ByteBuffer.allocate(ancestors.size() * Ancestor.BYTES);
        ancestors.forEach(ancestor -> ancestor.write(buffer));
        return buffer.array();
    }

    private static byte[] writeRuns(List<OpenRun> runs) {
        ByteBuffer buffer = ByteBuffer.allocate(runs.size() * OpenRun.BYTES);
        runs.forEach(run -> run.write(buffer));
        return buffer.array();
    }

    private static byte[] writeIds(List<UUID> ids) {
        ByteBuffer buffer = ByteBuffer.allocate(ids.size() * PeriodSummary.ID_BYTES);
        ids.forEach(id -> buffer.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits()));
        return buffer.array();
    }

    private boolean startedInDay(FoundRun run) {
        return !run.start().isBefore(day) && run.start().isBefore(end());
    }

    private Instant end() {
        return day.plusSeconds(Buckets.DAY);
    }

    /** Returns whether there are too many ancestors to store. */
    boolean hasTooManyAncestors() {
        return unknown.size() > SummaryStatement.MAX_LINKS;
    }

    /** State of a run of the session. */
    record FoundRun(Instant start, @Nullable Instant end) {

        boolean isOpenAt(Instant time) {
            return end == null || !end.isBefore(time);
        }
    }
}
