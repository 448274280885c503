package dev.waybill.controlplane.revision;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Limits of revisions. */
@ConfigMapping(prefix = "waybill.revision")
public interface RevisionConfig {

    /** Maximum number of stored log lines of a revision. */
    @WithDefault("10000")
    int maxLogLines();
}
