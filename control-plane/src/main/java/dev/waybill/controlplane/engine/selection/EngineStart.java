package dev.waybill.controlplane.engine.selection;

import java.util.Optional;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import dev.waybill.controlplane.engine.kubernetes.manifest.KubernetesEngineConfig;
import dev.waybill.controlplane.engine.selection.EngineConfig.Kind;
import io.quarkus.runtime.StartupEvent;

/** Refuses to start where one customer's applications could be reached under another's address. */
@Singleton
class EngineStart {

    private final EngineConfig engine;
    private final KubernetesEngineConfig kubernetes;

    EngineStart(EngineConfig engine, KubernetesEngineConfig kubernetes) {
        this.engine = engine;
        this.kubernetes = kubernetes;
    }

    void check(@Observes StartupEvent starting) {
        if (engine.kind() == Kind.KUBERNETES) {
            fault(kubernetes.ingress().host()).ifPresent(fault -> {
                throw new IllegalStateException("refusing to start: " + fault);
            });
        }
    }

    static Optional<String> fault(Optional<String> host) {
        return host.filter(template -> !template.contains("{id}")
                && !(template.contains("{name}") && template.contains("{tenant_id}")))
                .map(template -> "waybill.engine.kubernetes.ingress.host must have {id}, or {name} and {tenant_id}: a name is"
                        + " unique in its workspace only, so that \"" + template + "\" gives two deployments one host");
    }
}
