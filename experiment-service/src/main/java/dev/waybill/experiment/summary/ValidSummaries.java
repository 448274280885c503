package dev.waybill.experiment.summary;

import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.summary.CountedUsage.CountedRun;
import dev.waybill.experiment.summary.CountedUsage.RunStart;
import dev.waybill.experiment.summary.PeriodSummary.Ancestor;
import dev.waybill.experiment.summary.PeriodSummary.RunKey;

/**
 * Valid summaries of hours and days that do not overlap, and their dependencies on each other and on the runs that are not
 * summarized.
 */
final class ValidSummaries {

    private static final NavigableMap<Instant, PeriodSummary> NONE = Collections.emptyNavigableMap();

    private final Map<UUID, NavigableMap<Instant, PeriodSummary>> bySession = new LinkedHashMap<>();
    private final Map<RunKey, Ancestor> ancestors = new HashMap<>();
    private final Map<RunKey, OpenRun> openRuns = new HashMap<>();
    private final Set<RunKey> otherOpenRuns = new HashSet<>();

    ValidSummaries(Collection<PeriodSummary> summaries) {
        for (PeriodSummary summary : summaries) {
            bySession.computeIfAbsent(summary.sessionId(), _ -> new TreeMap<>()).put(summary.start(), summary);
            summary.ancestors(ancestor -> ancestors.merge(ancestor.key(), ancestor, Ancestor::merge));
            summary.openRuns(run -> openRuns.put(new RunKey(summary.sessionId(), run.id()), run));
            summary.otherOpenRuns(id -> otherOpenRuns.add(new RunKey(summary.sessionId(), id)));
        }
    }

    /** Returns what the summaries leave of the range of their sessions; null for no limit. */
    LiveRanges liveRanges(@Nullable Instant from, @Nullable Instant to) {
        return liveRanges(bySession.keySet(), from, to);
    }

    /** Returns what the summaries leave of the range of these sessions; null for no limit. */
    LiveRanges liveRanges(Collection<UUID> sessions, @Nullable Instant from, @Nullable Instant to) {
        LiveRanges ranges = new LiveRanges();
        sessions.forEach(session -> ranges.addGaps(session, bySession.getOrDefault(session, NONE).values(), from, to));
        return ranges;
    }

    /** Returns the ancestors of summarized runs that did not start in the same period. */
    Collection<Ancestor> ancestors() {
        return ancestors.values();
    }

    /** Returns the ancestors of summarized runs and of {@code others}. */
    Collection<Ancestor> allAncestors(List<Ancestor> others) {
        Map<RunKey, Ancestor> all = new HashMap<>(ancestors);
        others.forEach(ancestor -> all.merge(ancestor.key(), ancestor, Ancestor::merge));
        return all.values();
    }

    /** Returns the ancestors whose period may have counted their usage without listing them as open. */
    List<Ancestor> unknown(Collection<Ancestor> all) {
        return all.stream()
                .filter(ancestor -> !openRuns.containsKey(ancestor.key()) && !otherOpenRuns.contains(ancestor.key()))
                .toList();
    }

    Map<RunKey, OpenRun> openRuns() {
        return openRuns;
    }

    Set<RunKey> otherOpenRuns() {
        return otherOpenRuns;
    }

    /** Returns the period that contains the start of a run. */
    Optional<PeriodSummary> periodOf(RunStart run) {
        return Optional.ofNullable(bySession.getOrDefault(run.key().sessionId(), NONE).floorEntry(run.start()))
                .map(Map.Entry::getValue)
                .filter(period -> run.start().isBefore(period.end()));
    }

    /** Adds runs whose usage is in the sums and that had ended with their periods. */
    void add(Collection<CountedRun> ended) {
        ended.forEach(run -> openRuns.put(run.key(), run.usage()));
    }

    /** Returns the summaries of other sessions. */
    ValidSummaries without(Set<UUID> sessions) {
        return new ValidSummaries(all().filter(summary -> !sessions.contains(summary.sessionId())).toList());
    }

    /** Returns the versions of the summaries of a session. */
    List<PeriodSummary.Version> versions(UUID session) {
        return bySession.getOrDefault(session, NONE).values().stream().map(PeriodSummary::version).toList();
    }

    List<UUID> sessions() {
        return List.copyOf(bySession.keySet());
    }

    boolean isEmpty() {
        return bySession.isEmpty();
    }

    /** Returns the summaries by session, and those of a session in the order of time. */
    Stream<PeriodSummary> all() {
        return bySession.values().stream().flatMap(summaries -> summaries.values().stream());
    }

    /** Subtracts the usage of runs whose descendants in other periods have usage. */
    void subtractFrom(BucketFigures figures, Collection<Ancestor> all) {
        for (Ancestor ancestor : all) {
            OpenRun open = openRuns.get(ancestor.key());
            if (open != null) {
                figures.of(ancestor.key().sessionId(), open.period()).subtract(open, ancestor.tokens(), ancestor.costs());
            }
        }
    }
}
