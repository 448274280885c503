package dev.waybill.experiment.summary;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.summary.PeriodSummary.Ancestor;
import dev.waybill.experiment.summary.PeriodSummary.RunKey;

/**
 * Valid summaries of hours and days that do not overlap, and their dependencies on each other and on the runs that are not
 * summarized.
 */
final class ValidSummaries {

    private final Map<UUID, List<PeriodSummary>> bySession;
    private final Map<RunKey, Ancestor> ancestors = new HashMap<>();
    private final Map<RunKey, OpenRun> openRuns = new HashMap<>();
    private final Set<RunKey> otherOpenRuns = new HashSet<>();

    ValidSummaries(Collection<PeriodSummary> summaries) {
        bySession = summaries.stream()
                .sorted(Comparator.comparing(PeriodSummary::start))
                .collect(Collectors.groupingBy(PeriodSummary::sessionId, LinkedHashMap::new, Collectors.toList()));
        for (PeriodSummary summary : summaries) {
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
        sessions.forEach(session -> ranges.addGaps(session, bySession.getOrDefault(session, List.of()), from, to));
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

    /** Returns the summaries except those that contain one of these hours, by session, and with {@code others}. */
    ValidSummaries replace(Map<UUID, Set<Instant>> hours, Collection<PeriodSummary> others) {
        List<PeriodSummary> summaries = new ArrayList<>(others);
        all().filter(summary -> !summary.containsAny(hours.getOrDefault(summary.sessionId(), Set.of())))
                .forEach(summaries::add);
        return new ValidSummaries(summaries);
    }

    /** Returns whether a summary contains one of these hours, by session. */
    boolean containAny(Map<UUID, Set<Instant>> hours) {
        return all().anyMatch(summary -> summary.containsAny(hours.getOrDefault(summary.sessionId(), Set.of())));
    }

    /** Returns the summarized days that contain one of these hours, by session. */
    LiveRanges daysThatContain(Map<UUID, Set<Instant>> hours) {
        LiveRanges ranges = new LiveRanges();
        all().filter(summary -> summary.isDay() && summary.containsAny(hours.getOrDefault(summary.sessionId(), Set.of())))
                .forEach(day -> ranges.add(day.sessionId(), day.start(), day.end()));
        return ranges;
    }

    boolean isEmpty() {
        return bySession.isEmpty();
    }

    /** Returns the summaries by session, and those of a session in the order of time. */
    Stream<PeriodSummary> all() {
        return bySession.values().stream().flatMap(List::stream);
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
