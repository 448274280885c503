package dev.waybill.controlplane.engine.selection;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import dev.waybill.controlplane.engine.kubernetes.manifest.KubernetesEngineConfig;
import dev.waybill.controlplane.engine.local.LocalEngineConfig;
import io.quarkus.runtime.StartupEvent;

/** Refuses to start where one customer's applications could be reached, or traced, as another's. */
@Singleton
class EngineStart {

    private static final Set<String> KEYS = Set.of("waybill.runtime.tracing.key", "waybill.tracing.key");

    private final EngineConfig engine;
    private final LocalEngineConfig local;
    private final KubernetesEngineConfig kubernetes;

    EngineStart(EngineConfig engine, LocalEngineConfig local, KubernetesEngineConfig kubernetes) {
        this.engine = engine;
        this.local = local;
        this.kubernetes = kubernetes;
    }

    void check(@Observes StartupEvent starting) {
        Optional<String> fault = switch (engine.kind()) {
            case LOCAL -> sharedKey("local", local.settings());
            case KUBERNETES -> fault(kubernetes.ingress().host()).or(() -> sharedKey("kubernetes", kubernetes.settings()));
        };
        if (fault.isPresent()) {
            throw new IllegalStateException("refusing to start: " + fault.get());
        }
    }

    /** One key for all applications: every one could read it, and would trace into the one workspace that it opens. */
    static Optional<String> sharedKey(String engine, Map<String, String> settings) {
        return settings.keySet().stream()
                .filter(name -> KEYS.contains(name.replaceAll("[^A-Za-z0-9]", ".").toLowerCase(Locale.ROOT)))
                .findFirst()
                .map(name -> "waybill.engine." + engine + ".settings.\"" + name
                        + "\" would have all applications trace into one"
                        + " workspace and know its key; take it out, each has a key of its own");
    }

    static Optional<String> fault(Optional<String> host) {
        return host.filter(template -> !template.contains("{id}")
                && !(template.contains("{name}") && template.contains("{tenant_id}")))
                .map(template -> "waybill.engine.kubernetes.ingress.host must have {id}, or {name} and {tenant_id}: a name is"
                        + " unique in its workspace only, so that \"" + template + "\" gives two deployments one host");
    }
}
