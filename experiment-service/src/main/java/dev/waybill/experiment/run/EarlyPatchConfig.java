package dev.waybill.experiment.run;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Retention of patches whose runs do not arrive. */
@ConfigMapping(prefix = "waybill.intake.early-patches")
public interface EarlyPatchConfig {

    /** Time that a patch is stored while its run is missing. */
    @WithDefault("30d")
    Duration retention();
}
