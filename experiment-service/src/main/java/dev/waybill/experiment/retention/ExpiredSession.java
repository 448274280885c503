package dev.waybill.experiment.retention;

import java.util.UUID;

/** A session with runs that have exceeded their retention. */
record ExpiredSession(UUID tenantId, UUID id) {

    private static final UUID NIL = new UUID(0, 0);

    /** Sorts before all sessions. */
    static final ExpiredSession NONE = new ExpiredSession(NIL, NIL);
}
