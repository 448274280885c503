package dev.waybill.controlplane.engine;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Selects the engine that runs applications. */
@ConfigMapping(prefix = "waybill.engine")
interface EngineConfig {

    /** The engine: {@code local} (processes of this machine) or {@code kubernetes}. */
    @WithDefault("local")
    Kind kind();

    /** The available engines. */
    enum Kind {
        LOCAL,
        KUBERNETES
    }
}
