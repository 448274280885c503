package dev.waybill.controlplane.engine.selection;

import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import dev.waybill.controlplane.engine.Engine;
import dev.waybill.controlplane.engine.kubernetes.KubernetesEngine;
import dev.waybill.controlplane.engine.local.LocalEngine;

/** The one engine of this installation. The other is not even made, so that a laptop needs no cluster. */
class EngineSelection {

    @Produces
    @Singleton
    Engine engine(EngineConfig config, Instance<LocalEngine> local, Instance<KubernetesEngine> kubernetes) {
        return switch (config.kind()) {
            case LOCAL -> local.get();
            case KUBERNETES -> kubernetes.get();
        };
    }
}
