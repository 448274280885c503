package dev.waybill.common.audit;

import java.util.Optional;
import java.util.Set;

import io.smallrye.config.ConfigMapping;

/** Configuration of the audit log. */
@ConfigMapping(prefix = "waybill.audit")
public interface AuditConfig {

    /**
     * Paths whose requests are not audited because they change nothing or because another log records them; {@code {name}}
     * stands for one segment.
     */
    Optional<Set<String>> excludedPaths();
}
