package dev.waybill.common.audit;

import java.util.UUID;

/** An answer about one thing: what was created or changed, for the audit log. */
public interface AuditedResource {

    UUID id();
}
