package dev.waybill.controlplane.engine.kubernetes;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.controlplane.engine.ApplicationChanged;
import dev.waybill.controlplane.engine.kubernetes.manifest.KubernetesEngineConfig;
import dev.waybill.controlplane.engine.kubernetes.manifest.Names;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;

/** Tells which deployments something changed of in the cluster. What is missed here is found by the reconciler's own looks. */
@Singleton
class ClusterWatch {

    private static final Logger LOG = Logger.getLogger(ClusterWatch.class);

    private final KubernetesClient client;
    private final KubernetesEngineConfig config;
    private final Changes changes;
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile List<SharedIndexInformer<?>> informers = List.of();

    @Inject
    ClusterWatch(KubernetesClient client, KubernetesEngineConfig config, Event<ApplicationChanged> changes) {
        this(client, config, changes::fire);
    }

    ClusterWatch(KubernetesClient client, KubernetesEngineConfig config, Changes changes) {
        this.client = client;
        this.config = config;
        this.changes = changes;
    }

    /** Whom changes are told. */
    @FunctionalInterface
    interface Changes {

        void fire(ApplicationChanged change);
    }

    /** From now on. Waits for nothing; where the cluster does not answer it is tried again for ever. */
    void begin() {
        if (begun.compareAndSet(false, true)) {
            informers = List.of(watch(client.pods()), watch(client.resources(Deployment.class)),
                    watch(client.resources(Service.class)));
        }
    }

    @PreDestroy
    void end() {
        informers.forEach(SharedIndexInformer::close);
    }

    private <T extends HasMetadata> SharedIndexInformer<T> watch(MixedOperation<T, ?, ?> kind) {
        boolean oneNamespace = config.namespace().equals(config.namespace(new UUID(0, 0)));
        FilterWatchListDeletable<T, ?, ?> ours = (oneNamespace ? kind.inNamespace(config.namespace()) : kind.inAnyNamespace())
                .withLabel(Names.MANAGED_BY, Names.MANAGER);
        SharedIndexInformer<T> informer = ours.runnableInformer(0);
        informer.exceptionHandler((started, failure) -> {
            LOG.warnf("the cluster cannot be watched, which is tried again: reason=%s", failure.getMessage());
            return true;
        });
        informer.addEventHandler(new Handler<>(informer));
        var unused = informer.start();
        return informer;
    }

    private void tell(HasMetadata object) {
        Optional<UUID> workspace = Names.id(object.getMetadata().getLabels(), Names.WORKSPACE);
        Optional<UUID> deployment = Names.id(object.getMetadata().getLabels(), Names.DEPLOYMENT);
        if (workspace.isPresent() && deployment.isPresent()) {
            changes.fire(new ApplicationChanged(workspace.get(), deployment.get()));
        }
    }

    private final class Handler<T extends HasMetadata> implements ResourceEventHandler<T> {

        private final SharedIndexInformer<T> informer;

        private Handler(SharedIndexInformer<T> informer) {
            this.informer = informer;
        }

        // What is there when the watch begins is looked at by the reconciler anyway.
        @Override
        public void onAdd(T object) {
            if (informer.hasSynced()) {
                tell(object);
            }
        }

        @Override
        public void onUpdate(T before, T object) {
            if (!Objects.equals(before.getMetadata().getResourceVersion(), object.getMetadata().getResourceVersion())) {
                tell(object);
            }
        }

        @Override
        public void onDelete(T object, boolean unknown) {
            tell(object);
        }
    }
}
