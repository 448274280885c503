package dev.waybill.controlplane.push;

import java.time.Duration;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How pushes are taken. */
@ConfigMapping(prefix = "waybill.push")
interface PushConfig {

    /** How long a delivery is remembered, so that the same one again changes nothing. */
    @WithDefault("30d")
    Duration keep();

    /** How many integrations are tried for a push that names its installation and not its integration. */
    @WithDefault("50")
    int mostCandidates();

    /** How much of bodies is held at once, by what they announce; one that finds no room is answered 429 before it is read. */
    @WithDefault("8M")
    MemorySize memory();

    /** How many deliveries are looked at at once; a further one is answered 429. */
    @WithDefault("100")
    int atOnce();
}
