package dev.waybill.common.edge;

import java.util.OptionalInt;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How often one key may ask one replica; without {@link #perSecond} as often as it likes. */
@ConfigMapping(prefix = "waybill.rate")
public interface RateConfig {

    /** How many requests a second one key may send to one replica for long. */
    OptionalInt perSecond();

    /** How many it may send at once after a pause. */
    @WithDefault("100")
    int burst();

    /** How many keys are remembered at most; one that is forgotten begins anew. */
    @WithDefault("10000")
    int keys();
}
