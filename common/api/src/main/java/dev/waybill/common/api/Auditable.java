package dev.waybill.common.api;

import java.util.UUID;

/** A response that describes one resource; the audit log records its id. */
public interface Auditable {

    UUID id();
}
