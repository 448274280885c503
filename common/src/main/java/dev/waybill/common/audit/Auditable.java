package dev.waybill.common.audit;

import java.util.UUID;

/** A response that describes one resource; the audit log records its id. */
public interface Auditable {

    UUID id();
}
