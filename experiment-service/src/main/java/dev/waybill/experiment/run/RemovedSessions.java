package dev.waybill.experiment.run;

/** Hides what belongs to sessions that were removed and whose runs are still to be deleted. */
public final class RemovedSessions {

    private RemovedSessions() {
    }

    /** Returns the condition that rows under the name {@code alias}, which have a session, are not of a removed one. */
    public static String excludedFrom(String alias) {
        return """
                NOT EXISTS (SELECT FROM trace.session_removals removed
                    WHERE removed.tenant_id = {alias}.tenant_id AND removed.session_id = {alias}.session_id)"""
                .replace("{alias}", alias);
    }
}
