package dev.waybill.controlplane.engine.kubernetes;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.ApplicationChanged;
import dev.waybill.controlplane.engine.kubernetes.manifest.KubernetesEngineConfig;
import dev.waybill.controlplane.engine.kubernetes.manifest.Names;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
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
    private final Applied applied;
    private final Changes changes;
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile List<SharedIndexInformer<?>> informers = List.of();

    @Inject
    ClusterWatch(KubernetesClient client, KubernetesEngineConfig config, Applied applied, Event<ApplicationChanged> changes) {
        this(client, config, applied, changes::fire);
    }

    ClusterWatch(KubernetesClient client, KubernetesEngineConfig config, Applied applied, Changes changes) {
        this.client = client;
        this.config = config;
        this.applied = applied;
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
            informers = List.of(watch(client.pods(), Handler::new), watch(client.resources(Deployment.class), Handler::new),
                    watch(client.resources(Service.class), Handler::new),
                    watch(client.resources(Ingress.class), informer -> new DriftHandler<>(informer, Ingress::getSpec)),
                    watch(client.resources(HorizontalPodAutoscaler.class),
                            informer -> new DriftHandler<>(informer, HorizontalPodAutoscaler::getSpec)),
                    watch(client.resources(PodDisruptionBudget.class),
                            informer -> new DriftHandler<>(informer, PodDisruptionBudget::getSpec)));
        }
    }

    @PreDestroy
    void end() {
        informers.forEach(SharedIndexInformer::close);
    }

    private <T extends HasMetadata> SharedIndexInformer<T> watch(MixedOperation<T, ?, ?> kind,
            Function<SharedIndexInformer<T>, ResourceEventHandler<T>> handler) {
        boolean oneNamespace = config.namespace().equals(config.namespace(new UUID(0, 0)));
        FilterWatchListDeletable<T, ?, ?> ours = (oneNamespace ? kind.inNamespace(config.namespace()) : kind.inAnyNamespace())
                .withLabel(Names.MANAGED_BY, Names.MANAGER);
        SharedIndexInformer<T> informer = ours.runnableInformer(0);
        informer.exceptionHandler((started, failure) -> {
            LOG.warnf("the cluster cannot be watched, which is tried again: reason=%s", failure.getMessage());
            return true;
        });
        informer.addEventHandler(handler.apply(informer));
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

    /**
     * For objects whose changes no observation sees: has their revision applied again when somebody else deleted one or changed
     * its specification. Their status changes all the time and is ignored.
     */
    private final class DriftHandler<T extends HasMetadata> implements ResourceEventHandler<T> {

        private final SharedIndexInformer<T> informer;
        private final Function<T, @Nullable Object> specification;

        private DriftHandler(SharedIndexInformer<T> informer, Function<T, @Nullable Object> specification) {
            this.informer = informer;
            this.specification = specification;
        }

        @Override
        public void onAdd(T object) {
            // The engine made it.
        }

        @Override
        public void onUpdate(T before, T object) {
            if (!Objects.equals(specification.apply(before), specification.apply(object))) {
                reapply(object);
            }
        }

        @Override
        public void onDelete(T object, boolean unknown) {
            reapply(object);
        }

        private void reapply(T object) {
            if (informer.hasSynced()) {
                Names.id(object.getMetadata().getLabels(), Names.DEPLOYMENT).ifPresent(applied::forget);
                tell(object);
            }
        }
    }
}
