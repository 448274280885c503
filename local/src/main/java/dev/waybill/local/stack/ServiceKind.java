package dev.waybill.local.stack;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.waybill.local.runtime.Program;

/** The services of a stack. */
public enum ServiceKind {

    CONTROL_PLANE("control-plane", 8080, "waybill_control", "128m"),
    EXPORT("export-service", 8081, "waybill_export", "192m"),
    EXPERIMENT("experiment-service", 8082, "waybill_experiment", "256m"),
    CONSOLE("console", 8083, null, "128m");

    private final String module;
    private final int defaultPort;
    private final @Nullable String databaseRole;
    private final String defaultHeap;

    ServiceKind(String module, int defaultPort, @Nullable String databaseRole, String defaultHeap) {
        this.module = module;
        this.defaultPort = defaultPort;
        this.databaseRole = databaseRole;
        this.defaultHeap = defaultHeap;
    }

    /** Returns the services with an API and a database, which every stack runs. */
    public static List<ServiceKind> apis() {
        return Arrays.stream(values()).filter(kind -> kind.databaseRole != null).toList();
    }

    /** Returns the name of the module's folder, which is also the service's display name. */
    public String module() {
        return module;
    }

    /** Returns the environment variable that overrides the port, such as {@code WAYBILL_EXPORT_PORT}. */
    public String portVariable() {
        return "WAYBILL_" + name() + "_PORT";
    }

    /** Returns the variable that overrides the management port, such as {@code WAYBILL_EXPORT_MANAGEMENT_PORT}. */
    public String managementPortVariable() {
        return "WAYBILL_" + name() + "_MANAGEMENT_PORT";
    }

    int defaultManagementPort() {
        return defaultPort + 1000;
    }

    int defaultPort() {
        return defaultPort;
    }

    /** Returns the role of the service in the database; empty for the console, which has no database. */
    Optional<String> databaseRole() {
        return Optional.ofNullable(databaseRole);
    }

    String defaultHeap() {
        return defaultHeap;
    }

    Program program(Path root) {
        return Program.of(root, module);
    }
}
