package dev.waybill.common.audit;

import java.util.Optional;
import java.util.Set;

import io.smallrye.config.ConfigMapping;

/** What the audit log leaves out. */
@ConfigMapping(prefix = "waybill.audit")
public interface AuditConfig {

    /** Paths whose requests have no line: what is sent to them changes nothing, or is told elsewhere. */
    Optional<Set<String>> except();
}
