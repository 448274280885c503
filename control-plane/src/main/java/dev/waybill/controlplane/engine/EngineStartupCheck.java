package dev.waybill.controlplane.engine;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import dev.waybill.controlplane.engine.kubernetes.manifest.KubernetesEngineConfig;
import dev.waybill.controlplane.engine.local.LocalEngineConfig;
import io.quarkus.runtime.StartupEvent;

/** Refuses to start if applications of different customers would share a host name or a tracing key. */
@Singleton
class EngineStartupCheck {

    private static final Set<String> KEYS = Set.of("waybill.runtime.tracing.key", "waybill.tracing.key",
            "waybill.runtime.threads.database.password");

    private final EngineConfig engine;
    private final LocalEngineConfig local;
    private final KubernetesEngineConfig kubernetes;

    EngineStartupCheck(EngineConfig engine, LocalEngineConfig local, KubernetesEngineConfig kubernetes) {
        this.engine = engine;
        this.local = local;
        this.kubernetes = kubernetes;
    }

    void check(@Observes StartupEvent starting) {
        Optional<String> violation = switch (engine.kind()) {
            case LOCAL -> sharedKey("local", local.settings());
            case KUBERNETES ->
                ambiguousHost(kubernetes.ingress().host()).or(() -> sharedKey("kubernetes", kubernetes.settings()));
        };
        if (violation.isPresent()) {
            throw new IllegalStateException("refusing to start: " + violation.get());
        }
    }

    /**
     * Rejects a tracing key or a database password in the shared settings: every application could read it and would share
     * its workspace or its threads with all others.
     */
    static Optional<String> sharedKey(String engine, Map<String, String> settings) {
        return settings.keySet().stream()
                .filter(name -> KEYS.contains(name.replaceAll("[^A-Za-z0-9]", ".").toLowerCase(Locale.ROOT)))
                .findFirst()
                .map(name -> "waybill.engine." + engine + ".settings.\"" + name
                        + "\" gives all applications the same secret; remove it, each application has its own");
    }

    /** Rejects a host template that does not distinguish deployments. */
    static Optional<String> ambiguousHost(Optional<String> host) {
        return host.filter(template -> !template.contains("{id}")
                && !(template.contains("{name}") && template.contains("{tenant_id}")))
                .map(template -> "waybill.engine.kubernetes.ingress.host must contain {id}, or both {name} and {tenant_id}: names are "
                        + "unique only within a workspace, so \"" + template + "\" gives two deployments the same host");
    }
}
