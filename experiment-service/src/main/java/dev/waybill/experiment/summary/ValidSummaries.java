package dev.waybill.experiment.summary;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.summary.HourSummary.Ancestor;
import dev.waybill.experiment.summary.HourSummary.RunKey;

/** Valid summaries of sessions, and their dependencies on each other and on the runs that are not summarized. */
final class ValidSummaries {

    private final Map<UUID, List<HourSummary>> bySession;
    private final Map<RunKey, Ancestor> ancestors = new HashMap<>();
    private final Map<RunKey, OpenRun> openRuns = new HashMap<>();
    private final Set<RunKey> otherOpenRuns = new HashSet<>();

    /** Summaries in the order of time. */
    ValidSummaries(Collection<HourSummary> summaries) {
        bySession = summaries.stream()
                .collect(Collectors.groupingBy(HourSummary::sessionId, LinkedHashMap::new, Collectors.toList()));
        for (HourSummary summary : summaries) {
            summary.ancestors(ancestor -> ancestors.merge(ancestor.key(), ancestor, Ancestor::merge));
            summary.openRuns(run -> openRuns.put(new RunKey(summary.sessionId(), run.id()), run));
            summary.otherOpenRuns(id -> otherOpenRuns.add(new RunKey(summary.sessionId(), id)));
        }
    }

    Set<UUID> sessions() {
        return bySession.keySet();
    }

    /** Returns what the summaries leave of the range; null for no limit. */
    LiveRanges liveRanges(@Nullable Instant from, @Nullable Instant to) {
        LiveRanges ranges = new LiveRanges();
        bySession.forEach((session, summaries) -> ranges.addGaps(session, summaries, from, to));
        return ranges;
    }

    /** Returns the ancestors of summarized runs that did not start in the same hour. */
    Collection<Ancestor> ancestors() {
        return ancestors.values();
    }

    /** Returns the ancestors of summarized runs and of {@code others}. */
    Collection<Ancestor> allAncestors(List<Ancestor> others) {
        Map<RunKey, Ancestor> all = new HashMap<>(ancestors);
        others.forEach(ancestor -> all.merge(ancestor.key(), ancestor, Ancestor::merge));
        return all.values();
    }

    /** Returns the ancestors whose hour may have counted their usage without listing them as open. */
    List<RunKey> unknown(Collection<Ancestor> all) {
        return all.stream()
                .map(Ancestor::key)
                .filter(key -> !openRuns.containsKey(key) && !otherOpenRuns.contains(key))
                .toList();
    }

    /** Returns the summaries except those of the hours that contain these start times of runs, by session. */
    ValidSummaries without(Map<UUID, Set<Instant>> hours) {
        return new ValidSummaries(bySession.values().stream()
                .flatMap(List::stream)
                .filter(summary -> !hours.getOrDefault(summary.sessionId(), Set.of()).contains(summary.hour()))
                .toList());
    }

    int size() {
        return bySession.values().stream().mapToInt(List::size).sum();
    }

    /** Adds the summaries, without the usage of runs whose descendants in other hours have usage. */
    void addTo(BucketFigures figures, Collection<Ancestor> all) {
        bySession.values().forEach(summaries -> summaries
                .forEach(summary -> figures.of(summary.sessionId(), summary.hour()).add(summary.row())));
        for (Ancestor ancestor : all) {
            OpenRun open = openRuns.get(ancestor.key());
            if (open != null) {
                figures.of(ancestor.key().sessionId(), open.hour()).subtract(open, ancestor.tokens(), ancestor.costs());
            }
        }
    }
}
