package dev.waybill.controlplane.audit;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Configuration of the stored events of the audit log. */
@ConfigMapping(prefix = "waybill.audit")
interface AuditRetentionConfig {

    /** Time after which stored events are deleted. */
    @WithDefault("365d")
    Duration retention();
}
