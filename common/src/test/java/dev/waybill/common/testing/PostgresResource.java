package dev.waybill.common.testing;

import java.util.Map;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;

/**
 * Gives a service under test its database: the connection values of one role, after other services' migrations have run.
 *
 * <p>
 * {@code role}: the service's own role. {@code migrated}: comma-separated modules whose migrations run first; the service's own
 * run
 * when it starts.
 */
public final class PostgresResource implements QuarkusTestResourceLifecycleManager {

    private String role = "waybill_control";
    private String migrated = "";

    @Override
    public void init(Map<String, String> initArgs) {
        role = initArgs.getOrDefault("role", role);
        migrated = initArgs.getOrDefault("migrated", migrated);
    }

    @Override
    public Map<String, String> start() {
        TestDatabase database = TestDatabase.get();
        for (String module : migrated.split(",")) {
            if (!module.isBlank()) {
                database.migrate(module.strip());
            }
        }
        return Map.of(
                "quarkus.datasource.username", role,
                "quarkus.datasource.password", TestDatabase.PASSWORD,
                "quarkus.datasource.jdbc.url", database.url(),
                "quarkus.datasource.reactive.url", database.reactiveUrl(),
                "waybill.test.superuser.url", database.superuserUrl());
    }

    /** The database stays: it is the JVM's, and the next test class asks for it again. */
    @Override
    public void stop() {
        // Ends with the JVM.
    }
}
