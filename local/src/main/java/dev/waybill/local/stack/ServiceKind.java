package dev.waybill.local.stack;

import java.nio.file.Path;

import dev.waybill.local.runtime.Program;

/** The services of a stack. */
public enum ServiceKind {

    CONTROL_PLANE("control-plane", 8080, "waybill_control", "128m"),
    EXPORT("export-service", 8081, "waybill_export", "192m"),
    EXPERIMENT("experiment-service", 8082, "waybill_experiment", "256m");

    private final String module;
    private final int defaultPort;
    private final String databaseRole;
    private final String defaultHeap;

    ServiceKind(String module, int defaultPort, String databaseRole, String defaultHeap) {
        this.module = module;
        this.defaultPort = defaultPort;
        this.databaseRole = databaseRole;
        this.defaultHeap = defaultHeap;
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

    String databaseRole() {
        return databaseRole;
    }

    String defaultHeap() {
        return defaultHeap;
    }

    Program program(Path root) {
        return Program.of(root, module);
    }
}
