package dev.waybill.experiment.run;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** What happens to changes whose runs never come. */
@ConfigMapping(prefix = "waybill.intake.early-patches")
public interface EarlyPatchConfig {

    /** How long a change waits for its run. */
    @WithDefault("30d")
    Duration keep();
}
