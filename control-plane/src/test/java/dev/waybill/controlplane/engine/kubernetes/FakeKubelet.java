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

import dev.waybill.controlplane.engine.kubernetes.manifest.ObjectNames;
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
 * Plays the kubelet of a namespace's pods: binds the pods of known revisions, sets their status, and terminates deleted ones
 * immediately. Other pods stay unscheduled; everything else is done by the real cluster.
 */
public final class FakeKubelet implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(FakeKubelet.class);
    private static final int INTERVAL_MILLIS = 100;

    private final KubernetesClient client;
    private final String namespace;
    private final String node;
    private final Map<String, Supplier<PodStatus>> states = new ConcurrentHashMap<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final Map<String, String> addresses = new HashMap<>();
    private final Map<String, String> lastWritten = new ConcurrentHashMap<>();

    FakeKubelet(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
        this.node = namespace + "-node";
        var unused = thread.scheduleWithFixedDelay(this::reconcile, 0, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Sets the status of the revision's pods. */
    public FakeKubelet setStatus(UUID revision, Supplier<PodFixture> state) {
        states.put(revision.toString(), () -> state.get().status());
        return this;
    }

    /** Makes the revision's pods running and ready. */
    public FakeKubelet run(UUID revision, boolean prepared) {
        return setStatus(revision,
                () -> (prepared ? PodFixture.pod() : PodFixture.pod().withoutPreparation()).running("application").ready());
    }

    private void reconcile() {
        try {
            client.pods().inNamespace(namespace).list().getItems().forEach(this::reconcile);
        } catch (KubernetesClientException e) {
            LOG.debugf("conflict, or the server is unavailable: %s", e.getMessage());
        }
    }

    private void reconcile(Pod pod) {
        String revision = pod.getMetadata().getLabels().get(ObjectNames.REVISION);
        Supplier<PodStatus> state = revision == null ? null : states.get(revision);
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            client.resource(pod).withGracePeriod(0).delete();
        } else if (state != null && pod.getSpec().getNodeName() == null) {
            client.bindings().inNamespace(namespace).resource(new BindingBuilder()
                    .withNewMetadata().withName(pod.getMetadata().getName()).endMetadata()
                    .withNewTarget().withKind("Node").withApiVersion("v1").withName(node).endTarget().build()).create();
        } else if (state != null) {
            updateStatus(pod, state.get());
        }
    }

    private void updateStatus(Pod pod, PodStatus status) {
        status.getConditions().add(new PodConditionBuilder().withType("PodScheduled").withStatus("True").build());
        status.setStartTime(pod.getMetadata().getCreationTimestamp());
        // One address of the documentation block for each pod.
        String address = addresses.computeIfAbsent(pod.getMetadata().getUid(), _ -> "192.0.2." + (addresses.size() + 1));
        status.setPodIP(address);
        status.setPodIPs(List.of(new PodIPBuilder().withIp(address).build()));
        // The server adds fields, so the last written status is compared instead of the one read.
        String written = Serialization.asJson(status);
        if (!written.equals(lastWritten.get(pod.getMetadata().getUid()))) {
            client.resource(new PodBuilder(pod).withStatus(status).build()).updateStatus();
            lastWritten.put(pod.getMetadata().getUid(), written);
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
