package dev.waybill.controlplane.engine;

import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

/** Settings with which a runtime stores the threads of its deployment in the database. */
public final class ThreadSettings {

    /** The runtime's environment variable for the password of the deployment's role. */
    public static final String PASSWORD_VARIABLE = "WAYBILL_RUNTIME_THREADS_DATABASE_PASSWORD";

    /** The key of the database's address in the settings of an engine. */
    static final String URL = "waybill.runtime.threads.database.url";

    private static final String DATABASE = "WAYBILL_RUNTIME_THREADS_DATABASE_";

    private static final Pattern CREDENTIALS = Pattern.compile("@|[?&](user|username|password|[^=&]*%[^=&]*)=",
            Pattern.CASE_INSENSITIVE);

    private ThreadSettings() {
    }

    /** Returns the name of a deployment's database role. */
    public static String role(UUID deploymentId) {
        return "waybill_app_" + deploymentId;
    }

    /** Returns whether the settings of an engine name the database of threads. */
    public static boolean isConfigured(Map<String, String> settings) {
        return !settings.getOrDefault(URL, "").isBlank();
    }

    /** Returns whether a URL of the database contains a user or a password. */
    static boolean hasCredentials(String url) {
        return CREDENTIALS.matcher(url).find();
    }

    /**
     * Returns the runtime's environment variables other than the password; empty if the revision has no role or the engine
     * names no database.
     */
    public static Map<String, String> variables(RevisionSpec plan, Map<String, String> settings) {
        return !isConfigured(settings) || !plan.environment().containsKey(PASSWORD_VARIABLE) ? Map.of()
                : Map.of("WAYBILL_RUNTIME_THREADS_STORAGE", "postgresql",
                        DATABASE + "USERNAME", role(plan.deploymentId()),
                        DATABASE + "WORKSPACE_ID", plan.tenantId().toString(),
                        DATABASE + "DEPLOYMENT_ID", plan.deploymentId().toString());
    }

    /** Returns the environment of a build, which needs no access to threads. */
    public static Map<String, String> withoutPassword(Map<String, String> environment) {
        Map<String, String> others = new java.util.TreeMap<>(environment);
        others.remove(PASSWORD_VARIABLE);
        return others;
    }
}
