package dev.waybill.local.stack;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.waybill.local.runtime.RuntimeProcess;

/**
 * Writes a service's configuration for a local stack to a file that only its owner can read. Command lines and environment
 * variables would expose its secrets.
 */
final class ServiceConfiguration {

    /** Not 0, which earlier releases reject. */
    private static final String NO_LIMIT = "1000000";
    private static final int MAX_PORT = 65_535;
    private static final int MAX_DEPLOYMENTS = 1_000;

    private final StackSettings settings;
    private final Secrets secrets;

    ServiceConfiguration(StackSettings settings, Secrets secrets) {
        this.settings = settings;
        this.secrets = secrets;
    }

    Path write(Replica replica) {
        Path file = settings.home().configuration(replica.name());
        HomeDirectory.writePrivateFile(file, values(replica).entrySet().stream()
                .map(value -> value.getKey() + "=" + value.getValue() + "\n")
                .collect(Collectors.joining()));
        return file;
    }

    private Map<String, String> values(Replica replica) {
        ServiceKind kind = replica.kind();
        Map<String, String> values = new TreeMap<>();
        values.put("quarkus.http.host", "127.0.0.1");
        values.put("quarkus.http.port", Integer.toString(replica.port()));
        values.put("quarkus.management.port", Integer.toString(replica.managementPort()));
        kind.databaseRole().ifPresent(role -> putDatabase(role, values));
        if (kind != ServiceKind.CONSOLE) {
            // The console forwards the address of the browser.
            values.put("quarkus.http.proxy.proxy-address-forwarding", "true");
            values.put("quarkus.http.proxy.trusted-proxies", "127.0.0.1");
        }
        if (kind == ServiceKind.CONSOLE) {
            values.put("waybill.console.control-plane-url", address(ServiceKind.CONTROL_PLANE));
            values.put("waybill.console.export-url", address(ServiceKind.EXPORT));
            values.put("waybill.console.experiment-url", address(ServiceKind.EXPERIMENT));
            values.put("waybill.console.sign-in-key", secrets.signInKey());
            // Browser tests open many pages from one address.
            values.put("waybill.rate.anonymous-per-second", NO_LIMIT);
        }
        if (kind == ServiceKind.CONTROL_PLANE) {
            values.put("waybill.operator.key", secrets.operatorKey());
            values.put("waybill.bootstrap.organization", "Quickstart");
            values.put("waybill.bootstrap.workspace", "Quickstart");
            values.put("waybill.bootstrap.plan", "enterprise");
            values.put("waybill.bootstrap.api-key", secrets.apiKey());
            if (settings.console()) {
                values.put("waybill.notifications.console-url", address(ServiceKind.CONSOLE));
            }
            putEngine(settings.release(replica), values);
        }
        if (kind == ServiceKind.EXPORT || kind == ServiceKind.EXPERIMENT) {
            putLake(values);
        }
        if (kind == ServiceKind.EXPERIMENT) {
            values.put("waybill.lake.cache.directory", settings.home().lakeCache(replica.name()).toString());
        }
        // A local stack has a single user; elsewhere the services reject loopback addresses.
        values.put("waybill.net.allow-http", "true");
        values.put("waybill.net.allowed-ranges", "127.0.0.0/8,::1/128");
        // Benchmarks use one key without a rate limit.
        values.put("waybill.rate.per-second", NO_LIMIT);
        values.putAll(settings.properties(kind));
        values.putAll(replica.properties());
        return values;
    }

    /** Configures deployments as local processes that stop with the control plane. */
    private void putEngine(Path release, Map<String, String> values) {
        values.put("waybill.source.allow-file", "true");
        int first = settings.ports().deployments();
        values.put("waybill.deployment.url", "http://127.0.0.1:{port}");
        values.put("waybill.deployment.first-port", Integer.toString(first));
        values.put("waybill.deployment.last-port", Integer.toString(Math.min(MAX_PORT, first + MAX_DEPLOYMENTS - 1)));
        values.put("waybill.engine.local.runtime", RuntimeProcess.program(release).toString());
        values.put("waybill.engine.local.directory", settings.home().applications().toString());
        values.put("waybill.engine.local.stop-on-shutdown", "true");
        String runtime = "waybill.engine.local.settings.\"waybill.runtime.";
        values.put(runtime + "access.control-plane-url\"", address(ServiceKind.CONTROL_PLANE));
        values.put(runtime + "tracing.url\"", address(ServiceKind.EXPERIMENT));
        values.put(runtime + "threads.database.url\"", database());
        // Webhooks of local runs call local servers.
        values.put("waybill.engine.local.settings.\"waybill.net.allow-http\"", "true");
        values.put("waybill.engine.local.settings.\"waybill.net.allowed-ranges\"", "127.0.0.0/8,::1/128");
        values.put("waybill.engine.local.settings.\"waybill.rate.per-second\"", NO_LIMIT);
    }

    /** Configures access to the bucket of the lake, which {@link StackSettings#withLake} enables. */
    private void putLake(Map<String, String> values) {
        values.put("waybill.lake.endpoint-url", "http://127.0.0.1:" + settings.ports().s3());
        values.put("waybill.lake.access-key-id", secrets.s3AccessKeyId());
        values.put("waybill.lake.secret-access-key", secrets.s3SecretAccessKey());
    }

    private void putDatabase(String role, Map<String, String> values) {
        values.put("quarkus.datasource.username", role);
        values.put("quarkus.datasource.password", secrets.rolePassword());
        // All services start concurrently, so the first connection can take long on a busy machine.
        values.put("quarkus.datasource.jdbc.acquisition-timeout", "2M");
        values.put("quarkus.datasource.jdbc.url", "jdbc:" + database());
        values.put("quarkus.datasource.reactive.url", database());
        values.put("waybill.encryption.current", "local");
        values.put("waybill.encryption.keys.local", secrets.encryptionKey());
    }

    private String database() {
        return "postgresql://127.0.0.1:" + settings.ports().postgres() + "/" + Stack.DATABASE;
    }

    private String address(ServiceKind kind) {
        return "http://127.0.0.1:" + settings.ports().of(kind);
    }
}
