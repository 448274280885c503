package dev.waybill.experiment.summary;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Figures of runs by session and bucket of time. */
public final class BucketFigures {

    private final Buckets buckets;
    private final Map<UUID, Map<Long, RunFigures>> bySession = new HashMap<>();

    BucketFigures(Buckets buckets) {
        this.buckets = buckets;
    }

    /** Returns the figures of the buckets with runs by session, without sessions that have no valid summary. */
    public Map<UUID, Map<Long, RunFigures>> bySession() {
        return bySession;
    }

    RunFigures of(UUID session, Instant start) {
        return of(session, buckets.index(start));
    }

    RunFigures of(UUID session, long bucket) {
        return bySession.computeIfAbsent(session, id -> new HashMap<>()).computeIfAbsent(bucket, index -> new RunFigures());
    }

    /** Adds the figures of other sessions. */
    BucketFigures addSessions(BucketFigures others) {
        bySession.putAll(others.bySession);
        return this;
    }

    /** Finishes all buckets. */
    BucketFigures finish() {
        bySession.values().forEach(found -> found.values().forEach(RunFigures::finish));
        return this;
    }
}
