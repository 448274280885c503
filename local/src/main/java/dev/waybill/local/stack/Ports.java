package dev.waybill.local.stack;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import dev.waybill.local.storage.FreePort;

/**
 * The loopback ports of a stack.
 *
 * @param services the port of each service
 * @param management the port of each service's management interface
 * @param deployments the first port for deployed applications
 * @param s3 the port of the S3 server
 * @param postgres the port of PostgreSQL
 */
public record Ports(Map<ServiceKind, Integer> services, Map<ServiceKind, Integer> management, int deployments, int s3,
        int postgres) {

    private static final String DEPLOYMENTS_VARIABLE = "WAYBILL_DEPLOYMENT_PORT";
    private static final String S3_VARIABLE = "WAYBILL_S3_PORT";
    private static final String POSTGRES_VARIABLE = "WAYBILL_POSTGRES_PORT";

    /** The maximum number of concurrent deployments of a test. */
    private static final int TEST_DEPLOYMENTS = 20;

    public Ports {
        services = Map.copyOf(services);
        management = Map.copyOf(management);
    }

    /** Returns the default ports, each of which an environment variable overrides. */
    public static Ports from(Map<String, String> environment) {
        Map<ServiceKind, Integer> services = new EnumMap<>(ServiceKind.class);
        Map<ServiceKind, Integer> management = new EnumMap<>(ServiceKind.class);
        for (ServiceKind kind : ServiceKind.values()) {
            services.put(kind, port(environment, kind.portVariable(), kind.defaultPort()));
            management.put(kind, port(environment, kind.managementPortVariable(), kind.defaultManagementPort()));
        }
        return new Ports(services, management, port(environment, DEPLOYMENTS_VARIABLE, 8100),
                port(environment, S3_VARIABLE, 8090),
                port(environment, POSTGRES_VARIABLE, 8091));
    }

    /** Reserves free ports, for tests. */
    public static Ports free() {
        Map<ServiceKind, Integer> services = new EnumMap<>(ServiceKind.class);
        Map<ServiceKind, Integer> management = new EnumMap<>(ServiceKind.class);
        for (ServiceKind kind : ServiceKind.values()) {
            services.put(kind, FreePort.find());
            management.put(kind, FreePort.find());
        }
        return new Ports(services, management, FreePort.findRange(TEST_DEPLOYMENTS), FreePort.find(), FreePort.find());
    }

    public int of(ServiceKind kind) {
        return requireNonNull(services.get(kind));
    }

    int management(ServiceKind kind) {
        return requireNonNull(management.get(kind));
    }

    /**
     * Fails with a {@link StackException} that names every port in use and the variable that changes it.
     *
     * @param started the services that will listen
     */
    void requireFree(Collection<ServiceKind> started) {
        List<String> problems = new ArrayList<>();
        for (ServiceKind kind : started) {
            check(of(kind), kind.module(), kind.portVariable(), problems);
            check(management(kind), kind.module() + "'s management interface", kind.managementPortVariable(), problems);
        }
        check(deployments, "deployed applications", DEPLOYMENTS_VARIABLE, problems);
        check(s3, "S3", S3_VARIABLE, problems);
        check(postgres, "PostgreSQL", POSTGRES_VARIABLE, problems);
        if (!problems.isEmpty()) {
            throw new StackException(String.join("\n", problems));
        }
    }

    private static void check(int port, String purpose, String variable, List<String> problems) {
        if (!FreePort.isFree(port)) {
            problems.add(
                    "Port " + port + " (" + purpose + ") is in use: stop the process that listens on it, or set " + variable
                            + " to a free port.");
        }
    }

    private static int port(Map<String, String> environment, String variable, int defaultPort) {
        String value = environment.get(variable);
        if (value == null || value.isBlank()) {
            return defaultPort;
        }
        if (!value.strip().matches("[1-9]\\d{0,4}") || Integer.parseInt(value.strip()) > 65535) {
            throw new StackException(variable + " is not a port: " + value);
        }
        return Integer.parseInt(value.strip());
    }
}
