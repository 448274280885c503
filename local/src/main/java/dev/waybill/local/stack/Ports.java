package dev.waybill.local.stack;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import dev.waybill.local.storage.FreePort;

/**
 * Where everything listens, on loopback.
 *
 * @param services a port for each service
 * @param management a port for each service's metrics and descriptions
 * @param deployments the first of those that deployed applications get
 * @param s3 of the S3 server
 * @param postgres of PostgreSQL
 */
public record Ports(Map<ServiceKind, Integer> services, Map<ServiceKind, Integer> management, int deployments, int s3,
        int postgres) {

    private static final String DEPLOYMENTS_VARIABLE = "WAYBILL_DEPLOYMENT_PORT";
    private static final String S3_VARIABLE = "WAYBILL_S3_PORT";
    private static final String POSTGRES_VARIABLE = "WAYBILL_POSTGRES_PORT";

    /** As many deployments as tests make at once. */
    private static final int FEW = 20;

    public Ports {
        services = Map.copyOf(services);
        management = Map.copyOf(management);
    }

    /** The known ports, each of which an environment variable overrides. */
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

    /** Ports that nobody uses now, for tests. */
    public static Ports free() {
        Map<ServiceKind, Integer> services = new EnumMap<>(ServiceKind.class);
        Map<ServiceKind, Integer> management = new EnumMap<>(ServiceKind.class);
        for (ServiceKind kind : ServiceKind.values()) {
            services.put(kind, FreePort.find());
            management.put(kind, FreePort.find());
        }
        return new Ports(services, management, FreePort.findRange(FEW), FreePort.find(), FreePort.find());
    }

    public int of(ServiceKind kind) {
        return requireNonNull(services.get(kind));
    }

    int management(ServiceKind kind) {
        return requireNonNull(management.get(kind));
    }

    /** @throws StackException naming every port that something else listens on, and how to choose another */
    void requireFree() {
        List<String> taken = new ArrayList<>();
        for (ServiceKind kind : ServiceKind.values()) {
            check(of(kind), kind.module(), kind.portVariable(), taken);
            check(management(kind), kind.module() + "'s management interface", kind.managementPortVariable(), taken);
        }
        check(deployments, "deployed applications", DEPLOYMENTS_VARIABLE, taken);
        check(s3, "S3", S3_VARIABLE, taken);
        check(postgres, "PostgreSQL", POSTGRES_VARIABLE, taken);
        if (!taken.isEmpty()) {
            throw new StackException(String.join("\n", taken));
        }
    }

    private static void check(int port, String what, String variable, List<String> taken) {
        if (!FreePort.isFree(port)) {
            taken.add("Port " + port + " (" + what + ") is taken: stop what listens there, or set " + variable
                    + " to a free port.");
        }
    }

    private static int port(Map<String, String> environment, String variable, int otherwise) {
        String value = environment.get(variable);
        if (value == null || value.isBlank()) {
            return otherwise;
        }
        if (!value.strip().matches("[1-9]\\d{0,4}") || Integer.parseInt(value.strip()) > 65535) {
            throw new StackException(variable + " is not a port: " + value);
        }
        return Integer.parseInt(value.strip());
    }
}
