package dev.waybill.common.audit;

import java.util.UUID;

/** A response that names the one resource it creates or changes; the audit log records its id. */
public interface Auditable {

    UUID id();
}
