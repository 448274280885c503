package dev.waybill.controlplane.engine.selection;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** What runs applications. */
@ConfigMapping(prefix = "waybill.engine")
interface EngineConfig {

    /** Processes of this machine, or a cluster. */
    @WithDefault("local")
    Kind kind();

    /** The engines that there are. */
    enum Kind {
        LOCAL,
        KUBERNETES
    }
}
