package dev.waybill.controlplane.push;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Limits of push webhooks. */
@ConfigMapping(prefix = "waybill.push")
interface PushConfig {

    /** Maximum number of integrations whose secret is tried for a push that names only its installation. */
    @WithDefault("50")
    int maxCandidates();

    /** Maximum total declared length of concurrently received bodies; excess requests are rejected with 429 before they are read. */
    @WithDefault("8M")
    MemorySize maxBodyMemory();

}
