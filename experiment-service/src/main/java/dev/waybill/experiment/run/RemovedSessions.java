package dev.waybill.experiment.run;

/** Builds the SQL condition that hides the data of removed sessions until it is deleted. */
public final class RemovedSessions {

    private RemovedSessions() {
    }

    /** Returns the condition that excludes rows of removed sessions from the table with this alias. */
    public static String excludedFrom(String alias) {
        return """
                NOT EXISTS (SELECT FROM trace.session_removals removed
                    WHERE removed.tenant_id = {alias}.tenant_id AND removed.session_id = {alias}.session_id)"""
                .replace("{alias}", alias);
    }
}
