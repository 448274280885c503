package dev.waybill.experiment.retention;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;

/** How long runs are retained; without a limit, runs are retained forever. */
@ConfigMapping(prefix = "waybill.retention")
interface RetentionConfig {

    /** Retention of runs in sessions with the tier {@code shortlived}. */
    Optional<Duration> shortlived();

    /** Retention of runs in sessions with the tier {@code longlived}, which is the default tier. */
    Optional<Duration> longlived();

    /** Returns the tiers with limited retention. */
    default Map<TraceTier, Duration> retentions() {
        Map<TraceTier, Duration> retentions = new EnumMap<>(TraceTier.class);
        shortlived().ifPresent(retention -> retentions.put(TraceTier.SHORTLIVED, retention));
        longlived().ifPresent(retention -> retentions.put(TraceTier.LONGLIVED, retention));
        return retentions;
    }
}
