package dev.waybill.controlplane.engine.kubernetes;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jboss.logging.Logger;

import dev.waybill.controlplane.engine.kubernetes.health.Seen;
import dev.waybill.controlplane.engine.kubernetes.manifest.Names;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodIPBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;

/**
 * Plays the node of a namespace's pods: those of a revision that it is told of are taken, are in the state that it is told, and
 * end at once when they are deleted. Others stay without a node. Everything else is the real cluster's.
 */
public final class Kubelet implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(Kubelet.class);
    private static final int EVERY_MILLIS = 100;

    private final KubernetesClient client;
    private final String namespace;
    private final String node;
    private final Map<String, Supplier<PodStatus>> states = new ConcurrentHashMap<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final Map<String, String> addresses = new HashMap<>();
    private final Map<String, String> told = new ConcurrentHashMap<>();

    Kubelet(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
        this.node = namespace + "-node";
        var unused = thread.scheduleWithFixedDelay(this::look, 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** From now on the revision's pods are like that. */
    public Kubelet shows(UUID revision, Supplier<Seen> state) {
        states.put(revision.toString(), () -> state.get().status());
        return this;
    }

    /** From now on the revision's pods run and are ready. */
    public Kubelet runs(UUID revision, boolean prepared) {
        return shows(revision, () -> (prepared ? Seen.pod() : Seen.pod().withoutPreparation()).running("application").ready());
    }

    private void look() {
        try {
            client.pods().inNamespace(namespace).list().getItems().forEach(this::look);
        } catch (KubernetesClientException e) {
            LOG.debugf("somebody else was first, or the server is away: %s", e.getMessage());
        }
    }

    private void look(Pod pod) {
        String revision = pod.getMetadata().getLabels().get(Names.REVISION);
        Supplier<PodStatus> state = revision == null ? null : states.get(revision);
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            client.resource(pod).withGracePeriod(0).delete();
        } else if (state != null && pod.getSpec().getNodeName() == null) {
            client.bindings().inNamespace(namespace).resource(new BindingBuilder()
                    .withNewMetadata().withName(pod.getMetadata().getName()).endMetadata()
                    .withNewTarget().withKind("Node").withApiVersion("v1").withName(node).endTarget().build()).create();
        } else if (state != null) {
            become(pod, state.get());
        }
    }

    private void become(Pod pod, PodStatus status) {
        status.getConditions().add(new PodConditionBuilder().withType("PodScheduled").withStatus("True").build());
        status.setStartTime(pod.getMetadata().getCreationTimestamp());
        // Of the block for documentation, one for each pod.
        String address = addresses.computeIfAbsent(pod.getMetadata().getUid(), _ -> "192.0.2." + (addresses.size() + 1));
        status.setPodIP(address);
        status.setPodIPs(List.of(new PodIPBuilder().withIp(address).build()));
        // What is read differs from what was written by what the server adds.
        String written = Serialization.asJson(status);
        if (!written.equals(told.get(pod.getMetadata().getUid()))) {
            client.resource(new PodBuilder(pod).withStatus(status).build()).updateStatus();
            told.put(pod.getMetadata().getUid(), written);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            thread.awaitTermination(1, TimeUnit.MINUTES);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
