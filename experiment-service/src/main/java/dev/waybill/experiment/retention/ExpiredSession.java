package dev.waybill.experiment.retention;

import java.util.UUID;

/** A session that has runs which are too old. */
record ExpiredSession(UUID tenantId, UUID id) {

    private static final UUID NIL = new UUID(0, 0);

    /** Before all others. */
    static final ExpiredSession NONE = new ExpiredSession(NIL, NIL);
}
