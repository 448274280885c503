package dev.waybill.experiment.summary;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.waybill.experiment.summary.CountedUsage.CountedRun;
import dev.waybill.experiment.summary.PeriodSummary.Ancestor;

/**
 * Remembers the results of {@link CountedUsage} of sessions that have many ancestors no summary lists, most of which do not
 * exist. They hold as long as the same summaries are valid: a run that is added to one of their periods or changed there makes
 * its summary invalid, and the next one has another version.
 */
final class AncestorLookups {

    /** Fewer ancestors are looked up as fast. */
    private static final int MIN_ANCESTORS = 500;
    /** Ancestors and versions of all sessions together, of about 50 bytes each. */
    private static final int MAX_SIZE = 100_000;

    private final int minAncestors;
    private final int maxSize;
    // The least recently used first.
    private final Map<Key, Results> bySummaries = new LinkedHashMap<>(16, 0.75F, true);
    private int size;

    AncestorLookups() {
        this(MIN_ANCESTORS, MAX_SIZE);
    }

    AncestorLookups(int minAncestors, int maxSize) {
        this.minAncestors = minAncestors;
        this.maxSize = maxSize;
    }

    /** Adds the known runs to summaries; returns the ancestors that are to be looked up. */
    List<Ancestor> addKnown(UUID tenantId, ValidSummaries valid, List<Ancestor> sought) {
        List<Ancestor> unknown = new ArrayList<>();
        bySession(sought).forEach((session, ofSession) -> {
            Results known = ofSession.size() < minAncestors ? Results.NONE : get(new Key(tenantId, session, valid));
            valid.add(known.counted());
            ofSession.stream().filter(ancestor -> !known.ids().contains(ancestor.key().id())).forEach(unknown::add);
        });
        return unknown;
    }

    /** Adds results, if they are many. */
    void remember(UUID tenantId, ValidSummaries valid, List<Ancestor> sought, List<CountedRun> counted) {
        bySession(sought).forEach((session, ofSession) -> {
            if (ofSession.size() >= minAncestors) {
                put(new Key(tenantId, session, valid), new Results(
                        ofSession.stream().map(ancestor -> ancestor.key().id()).collect(Collectors.toUnmodifiableSet()),
                        counted.stream().filter(run -> run.key().sessionId().equals(session)).toList()));
            }
        });
    }

    private static Map<UUID, List<Ancestor>> bySession(List<Ancestor> ancestors) {
        return ancestors.stream().collect(Collectors.groupingBy(ancestor -> ancestor.key().sessionId()));
    }

    private synchronized Results get(Key key) {
        return bySummaries.getOrDefault(key, Results.NONE);
    }

    private synchronized void put(Key key, Results results) {
        Results known = Optional.ofNullable(bySummaries.remove(key)).orElse(Results.NONE);
        Results all = known.and(results);
        bySummaries.put(key, all);
        size += size(key, all) - (known == Results.NONE ? 0 : size(key, known));
        for (Iterator<Map.Entry<Key, Results>> eldest = bySummaries.entrySet().iterator(); size > maxSize;) {
            Map.Entry<Key, Results> entry = eldest.next();
            size -= size(entry.getKey(), entry.getValue());
            eldest.remove();
        }
    }

    synchronized int size() {
        return size;
    }

    private static int size(Key key, Results results) {
        return key.summaries().size() + results.ids().size();
    }

    private record Key(UUID tenantId, UUID sessionId, List<PeriodSummary.Version> summaries) {

        private Key(UUID tenantId, UUID sessionId, ValidSummaries valid) {
            this(tenantId, sessionId, valid.versions(sessionId));
        }
    }

    /**
     * Results of lookups.
     *
     * @param ids the ancestors that were looked up
     * @param counted those whose usage is in the sums
     */
    private record Results(Set<UUID> ids, List<CountedRun> counted) {

        private static final Results NONE = new Results(Set.of(), List.of());

        private Results and(Results others) {
            return this == NONE ? others
                    : new Results(Stream.concat(ids.stream(), others.ids.stream()).collect(Collectors.toUnmodifiableSet()),
                            Stream.concat(counted.stream(), others.counted.stream()).toList());
        }
    }
}
