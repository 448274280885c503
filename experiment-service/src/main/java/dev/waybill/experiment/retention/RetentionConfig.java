package dev.waybill.experiment.retention;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How long runs are kept; without an age they are kept for ever. */
@ConfigMapping(prefix = "waybill.retention")
interface RetentionConfig {

    /** How old runs of sessions with the tier {@code shortlived} may become. */
    Optional<Duration> shortlived();

    /**
     * How old runs of sessions with the tier {@code longlived} may become, which is the tier of sessions that have no other.
     */
    Optional<Duration> longlived();

    /** How often a replica looks for runs that are too old. */
    @WithDefault("1h")
    Duration every();

    /** How many runs are deleted in one transaction. */
    @WithDefault("1000")
    int batch();

    /** The tiers whose runs are not kept for ever. */
    default Map<TraceTier, Duration> ages() {
        Map<TraceTier, Duration> ages = new EnumMap<>(TraceTier.class);
        shortlived().ifPresent(age -> ages.put(TraceTier.SHORTLIVED, age));
        longlived().ifPresent(age -> ages.put(TraceTier.LONGLIVED, age));
        return ages;
    }
}
