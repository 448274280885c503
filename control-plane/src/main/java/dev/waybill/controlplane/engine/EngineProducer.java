package dev.waybill.controlplane.engine;

import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import dev.waybill.controlplane.engine.kubernetes.KubernetesEngine;
import dev.waybill.controlplane.engine.local.LocalEngine;

/** Produces the configured engine. The other one is not instantiated, so that a laptop needs no cluster. */
class EngineProducer {

    @Produces
    @Singleton
    Engine engine(EngineConfig config, Instance<LocalEngine> local, Instance<KubernetesEngine> kubernetes) {
        return switch (config.kind()) {
            case LOCAL -> local.get();
            case KUBERNETES -> kubernetes.get();
        };
    }
}
