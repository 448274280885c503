package dev.waybill.export.verification;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of verifications. */
@ConfigMapping(prefix = "waybill.export.verification")
interface VerificationConfig {

    /**
     * Maximum number of verifications that a replica performs concurrently, one per workspace; each needs up to 24 MiB of heap.
     */
    @WithDefault("1")
    int maxConcurrent();
}
