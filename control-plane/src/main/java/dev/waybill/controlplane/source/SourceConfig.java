package dev.waybill.controlplane.source;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Which repositories may be deployed from. */
@ConfigMapping(prefix = "waybill.source")
public interface SourceConfig {

    /** Whether repositories on this machine ({@code file://}) are allowed. For laptops and tests only. */
    @WithDefault("false")
    boolean allowFile();
}
