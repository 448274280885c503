package dev.waybill.experiment.retention;

import java.util.UUID;

/** A session that has runs which are too old. */
record AgedSession(UUID tenantId, UUID id) {

    private static final UUID NIL = new UUID(0, 0);

    /** Before all others. */
    static final AgedSession NONE = new AgedSession(NIL, NIL);
}
