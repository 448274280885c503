package dev.waybill.controlplane.engine.kubernetes;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.Engine.ApplicationChanged;
import dev.waybill.controlplane.engine.kubernetes.manifest.KubernetesEngineConfig;
import dev.waybill.controlplane.engine.kubernetes.manifest.ObjectNames;
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

/** Watches the cluster and fires changes of deployments. The reconciler's periodic observations find missed changes. */
@Singleton
class ClusterWatch {

    private static final Logger LOG = Logger.getLogger(ClusterWatch.class);

    private final KubernetesClient client;
    private final KubernetesEngineConfig config;
    private final AppliedRevisions applied;
    private final Consumer<ApplicationChanged> changes;
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile List<SharedIndexInformer<?>> informers = List.of();

    @Inject
    ClusterWatch(KubernetesClient client, KubernetesEngineConfig config, AppliedRevisions applied,
            Event<ApplicationChanged> changes) {
        this(client, config, applied, changes::fire);
    }

    ClusterWatch(KubernetesClient client, KubernetesEngineConfig config, AppliedRevisions applied,
            Consumer<ApplicationChanged> changes) {
        this.client = client;
        this.config = config;
        this.applied = applied;
        this.changes = changes;
    }

    /** Starts watching without blocking; retries indefinitely while the cluster is unreachable. */
    void begin() {
        if (started.compareAndSet(false, true)) {
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
        FilterWatchListDeletable<T, ?, ?> owned = (oneNamespace ? kind.inNamespace(config.namespace()) : kind.inAnyNamespace())
                .withLabel(ObjectNames.MANAGED_BY, ObjectNames.MANAGER);
        SharedIndexInformer<T> informer = owned.runnableInformer(0);
        informer.exceptionHandler((started, failure) -> {
            LOG.warnf("the cluster cannot be watched, retrying: reason=%s", failure.getMessage());
            return true;
        });
        informer.addEventHandler(handler.apply(informer));
        var unused = informer.start();
        return informer;
    }

    private void fireChange(HasMetadata object) {
        Optional<UUID> workspace = ObjectNames.id(object.getMetadata().getLabels(), ObjectNames.WORKSPACE);
        Optional<UUID> deployment = ObjectNames.id(object.getMetadata().getLabels(), ObjectNames.DEPLOYMENT);
        if (workspace.isPresent() && deployment.isPresent()) {
            changes.accept(new ApplicationChanged(workspace.get(), deployment.get()));
        }
    }

    private final class Handler<T extends HasMetadata> implements ResourceEventHandler<T> {

        private final SharedIndexInformer<T> informer;

        private Handler(SharedIndexInformer<T> informer) {
            this.informer = informer;
        }

        // The reconciler observes existing objects anyway, so the initial list is ignored.
        @Override
        public void onAdd(T object) {
            if (informer.hasSynced()) {
                fireChange(object);
            }
        }

        @Override
        public void onUpdate(T before, T object) {
            if (!Objects.equals(before.getMetadata().getResourceVersion(), object.getMetadata().getResourceVersion())) {
                fireChange(object);
            }
        }

        @Override
        public void onDelete(T object, boolean unknown) {
            fireChange(object);
        }
    }

    /**
     * Handles objects that observations do not read: invalidates their deployment when one was deleted or its specification
     * changed. Status changes are frequent and ignored.
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
            // The engine created it.
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
                ObjectNames.id(object.getMetadata().getLabels(), ObjectNames.DEPLOYMENT).ifPresent(applied::invalidate);
                fireChange(object);
            }
        }
    }
}
