package dev.waybill.common.testing;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;

/**
 * Provides the database of a service under test: the connection settings of one role, after the migrations of other services.
 *
 * <p>
 * {@code role}: the service's own role. {@code migrated}: comma-separated modules whose migrations run first; the service runs
 * its own at startup. {@code tls}: whether the service connects with TLS and trusts only this database.
 */
public final class PostgresResource implements QuarkusTestResourceLifecycleManager {

    private String role = "waybill_control";
    private String migrated = "";
    private boolean tls;

    @Override
    public void init(Map<String, String> initArgs) {
        role = initArgs.getOrDefault("role", role);
        migrated = initArgs.getOrDefault("migrated", migrated);
        tls = Boolean.parseBoolean(initArgs.get("tls"));
    }

    @Override
    public Map<String, String> start() {
        TestDatabase database = TestDatabase.get();
        for (String module : migrated.split(",")) {
            if (!module.isBlank()) {
                database.migrate(module.strip());
            }
        }
        Map<String, String> settings = new HashMap<>(Map.of(
                // Packaged services apply the production rules on any other address.
                "quarkus.http.host", "localhost",
                "quarkus.datasource.username", role,
                "quarkus.datasource.password", TestDatabase.PASSWORD,
                "quarkus.datasource.jdbc.url", database.url(),
                // On a busy machine, even the first connection is slow.
                "quarkus.datasource.jdbc.acquisition-timeout", "2M",
                "quarkus.datasource.reactive.url", database.reactiveUrl(),
                "waybill.test.superuser.url", database.superuserUrl()));
        if (tls) {
            settings.putAll(tls(database));
        }
        return settings;
    }

    /** Returns the settings of docs/operations/security.md "TLS". */
    private static Map<String, String> tls(TestDatabase database) {
        Path authority = TestCertificate.authority();
        database.enableTls(authority, TestCertificate.key());
        return Map.of("quarkus.datasource.jdbc.url", database.url() + "?sslmode=verify-full&sslrootcert=" + authority,
                "quarkus.datasource.reactive.postgresql.ssl-mode", "verify-full",
                "quarkus.datasource.reactive.hostname-verification-algorithm", "HTTPS",
                "quarkus.datasource.reactive.trust-certificate-pem", "true",
                "quarkus.datasource.reactive.trust-certificate-pem.certs", authority.toString());
    }

    /** Does nothing: the next test class uses the same database. */
    @Override
    public void stop() {
        // The database stops with the JVM.
    }
}
