package dev.waybill.common.testing;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;

/**
 * Gives a service under test its database: the connection values of one role, after other services' migrations have run.
 *
 * <p>
 * {@code role}: the service's own role. {@code migrated}: comma-separated modules whose migrations run first; the service's own
 * run
 * when it starts. {@code tls}: whether the service speaks TLS with it and trusts nobody else.
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
                // What is packaged keeps the rules for production on any other address.
                "quarkus.http.host", "localhost",
                "quarkus.datasource.username", role,
                "quarkus.datasource.password", TestDatabase.PASSWORD,
                "quarkus.datasource.jdbc.url", database.url(),
                // A machine that is busy takes its time with the first connection, too.
                "quarkus.datasource.jdbc.acquisition-timeout", "2M",
                "quarkus.datasource.reactive.url", database.reactiveUrl(),
                "waybill.test.superuser.url", database.superuserUrl()));
        if (tls) {
            settings.putAll(tls(database));
        }
        return settings;
    }

    /** As docs/operations.md "TLS" says. */
    private static Map<String, String> tls(TestDatabase database) {
        Path authority = TestCertificate.authority();
        database.speakTls(authority, TestCertificate.key());
        return Map.of("quarkus.datasource.jdbc.url", database.url() + "?sslmode=verify-full&sslrootcert=" + authority,
                "quarkus.datasource.reactive.postgresql.ssl-mode", "verify-full",
                "quarkus.datasource.reactive.hostname-verification-algorithm", "HTTPS",
                "quarkus.datasource.reactive.trust-certificate-pem", "true",
                "quarkus.datasource.reactive.trust-certificate-pem.certs", authority.toString());
    }

    /** The database stays: it is the JVM's, and the next test class asks for it again. */
    @Override
    public void stop() {
        // Ends with the JVM.
    }
}
