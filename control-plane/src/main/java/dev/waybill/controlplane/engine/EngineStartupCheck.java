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
            case LOCAL -> sharedSecret("local", local.settings());
            case KUBERNETES ->
                ambiguousHost(kubernetes.ingress().host()).or(() -> sharedSecret("kubernetes", kubernetes.settings()));
        };
        if (violation.isPresent()) {
            throw new IllegalStateException("refusing to start: " + violation.get());
        }
    }

    /**
     * Rejects a tracing key or credentials of the database in the shared settings: every application could read them and would
     * share its workspace or its threads with all others.
     */
    static Optional<String> sharedSecret(String engine, Map<String, String> settings) {
        return settings.keySet().stream()
                .filter(name -> KEYS.contains(property(name)))
                .findFirst()
                .map(name -> setting(engine, name) + " gives all applications the same secret; remove it, each application has "
                        + "its own")
                .or(() -> settings.entrySet().stream()
                        .filter(each -> property(each.getKey()).equals(ThreadSettings.URL)
                                && ThreadSettings.hasCredentials(each.getValue()))
                        .findFirst()
                        .map(each -> setting(engine, each.getKey())
                                + " contains a user or a password, which all applications could "
                                + "read; remove them from the URL, each application has a database role of its own"));
    }

    private static String property(String name) {
        return name.replaceAll("[^A-Za-z0-9]", ".").toLowerCase(Locale.ROOT);
    }

    private static String setting(String engine, String name) {
        return "waybill.engine." + engine + ".settings.\"" + name + "\"";
    }

    /** Rejects a host template that does not distinguish deployments. */
    static Optional<String> ambiguousHost(Optional<String> host) {
        return host.filter(template -> !template.contains("{id}")
                && !(template.contains("{name}") && template.contains("{tenant_id}")))
                .map(template -> "waybill.engine.kubernetes.ingress.host must contain {id}, or both {name} and {tenant_id}: names are "
                        + "unique only within a workspace, so \"" + template + "\" gives two deployments the same host");
    }
}
