package dev.waybill.k8s;

import java.time.Duration;
import java.util.Arrays;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A service and the values of its configuration that manifests depend on. */
enum ServiceDefinition {

    CONTROL_PLANE("control-plane", "dev.waybill.controlplane"),
    EXPORT("export-service", "dev.waybill.export"),
    EXPERIMENT("experiment-service", "dev.waybill.experiment"),
    CONSOLE("console", "dev.waybill.console"),
    RUNTIME("deployment-runtime", "dev.waybill.runtime");

    private static final Properties COMMON = ProjectFiles
            .properties("common/src/main/resources/META-INF/microprofile-config.properties");

    private final String module;
    private final String packageName;
    private final Properties own;

    ServiceDefinition(String module, String packageName) {
        this.module = module;
        this.packageName = packageName;
        this.own = ProjectFiles.properties(module + "/src/main/resources/application.properties");
    }

    /** Returns the services that manifests deploy; the engine deploys applications. */
    static Stream<ServiceDefinition> deployed() {
        return Arrays.stream(values()).filter(service -> service != RUNTIME);
    }

    /** Returns the deployed services with an API and a database. */
    static Stream<ServiceDefinition> apis() {
        return deployed().filter(service -> service != CONSOLE);
    }

    String module() {
        return module;
    }

    String packageName() {
        return packageName;
    }

    int port() {
        return Integer.parseInt(configured("quarkus.http.port"));
    }

    int managementPort() {
        return Integer.parseInt(configured("quarkus.management.port"));
    }

    String databaseRole() {
        return configured("quarkus.datasource.username");
    }

    int maxConnections() {
        return Integer.parseInt(configured("quarkus.datasource.jdbc.max-size"))
                + Integer.parseInt(configured("quarkus.datasource.reactive.max-size"));
    }

    String maxBodySize() {
        return configured("quarkus.http.limits.max-body-size");
    }

    Duration shutdownTimeout() {
        return Duration.parse("PT" + configured("quarkus.shutdown.timeout"));
    }

    /** Returns the heap size in MiB from the table "Processes" of docs/operations/README.md. */
    int testedHeapMebibytes() {
        return Integer.parseInt(ProjectFiles.first(Pattern.compile("\\| " + module + " \\| \\d+ \\| (\\d+) MiB"),
                ProjectFiles.text("docs/operations/README.md")));
    }

    private String configured(String key) {
        String value = own.getProperty(key, COMMON.getProperty(key));
        if (value == null) {
            throw new IllegalStateException(module + " does not configure " + key);
        }
        return value;
    }
}
