package dev.waybill.console.service;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A service of Waybill and the paths of its API that the console passes on. */
public enum Service {

    CONTROL_PLANE("control-plane",
            List.of("/v1/whoami", "/v1/workspaces", "/v1/api-keys", "/v1/audit-events", "/v1/integrations",
                    "/v1/notification-rules", "/v2/deployments")),
    EXPORT("export-service", List.of("/api/v1/bulk-exports")),
    EXPERIMENT("experiment-service", List.of("/api/v1/sessions", "/api/v1/runs", "/api/v1/traces", "/api/v1/datasets",
            "/api/v1/examples", "/api/v1/feedback", "/api/v1/retention", "/api/v1/events", "/api/v2/runs", "/api/v2/datasets",
            "/api/v2/threads"));

    private final String title;
    private final List<String> paths;

    Service(String title, List<String> paths) {
        this.title = title;
        this.paths = paths;
    }

    /** Returns the name as in logs and documentation. */
    public String title() {
        return title;
    }

    /** Returns the service that owns the path; empty for paths that are not passed on. */
    public static Optional<Service> of(String path) {
        return Arrays.stream(values()).filter(service -> service.prefix(path).isPresent()).findFirst();
    }

    /** Returns the entry of the allow-list that the path matches. */
    public Optional<String> prefix(String path) {
        return paths.stream()
                .filter(prefix -> path.startsWith(prefix)
                        && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/'))
                .findFirst();
    }
}
