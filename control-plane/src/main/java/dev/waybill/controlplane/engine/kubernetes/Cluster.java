package dev.waybill.controlplane.engine.kubernetes;

import static java.net.HttpURLConnection.HTTP_BAD_REQUEST;
import static java.net.HttpURLConnection.HTTP_CONFLICT;
import static java.net.HttpURLConnection.HTTP_INTERNAL_ERROR;
import static java.net.HttpURLConnection.HTTP_NOT_FOUND;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.kubernetes.manifest.Names;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.dsl.ContainerResource;
import io.fabric8.kubernetes.client.dsl.Loggable;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.TimeTailPrettyLoggable;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;

/** What is asked of the API server, and nothing else: docs/operations.md "Rights in the cluster" lists the same. Blocks. */
@Singleton
class Cluster {

    private static final Logger LOG = Logger.getLogger(Cluster.class);

    /** Of a log at once. */
    static final int MOST_BYTES = 256 << 10;

    private final KubernetesClient client;

    Cluster(KubernetesClient client) {
        this.client = client;
    }

    /**
     * Makes the object what it is to be, whoever changed it since. Nothing happens when it is that already.
     *
     * @throws StepFailure when somebody else made an object of that kind and name
     */
    <T extends HasMetadata> T apply(T object) {
        requireOwned(object);
        return client.resource(object).fieldManager(Names.MANAGER).forceConflicts().serverSideApply();
    }

    /**
     * @return false when there is one already
     * @throws StepFailure when that is somebody else's
     */
    boolean create(Service service) {
        requireOwned(service);
        try {
            client.resource(service).create();
            return true;
        } catch (KubernetesClientException e) {
            return rethrowUnless(e, HTTP_CONFLICT);
        }
    }

    /** As {@link #apply}, if it is still the version it was read in. @return false when it is not */
    boolean replace(Service service, String version) {
        service.getMetadata().setResourceVersion(version);
        try {
            apply(service);
            return true;
        } catch (KubernetesClientException e) {
            return rethrowUnless(e, HTTP_CONFLICT);
        }
    }

    /** No fewer pods than that. Their number is not ours to keep: it is told once, and under another name. */
    void scaleUp(String namespace, String name, int pods) {
        Resource<Deployment> deployment = client.resources(Deployment.class).inNamespace(namespace).withName(name);
        Deployment present = deployment.get();
        Integer now = present == null ? null : present.getSpec().getReplicas();
        if (present != null && (now == null || now < pods)) {
            deployment.patch(new PatchContext.Builder().withPatchType(PatchType.JSON_MERGE)
                    .withFieldManager(Names.MANAGER + "-scale").build(), "{\"spec\": {\"replicas\": " + pods + "}}");
        }
    }

    Optional<Service> service(String namespace, String name) {
        return owned(client.services().inNamespace(namespace).withName(name).get());
    }

    Optional<Deployment> deployment(String namespace, String name) {
        return owned(client.apps().deployments().inNamespace(namespace).withName(name).get());
    }

    Optional<ConfigMap> root(String namespace, String name) {
        return owned(client.configMaps().inNamespace(namespace).withName(name).get());
    }

    List<Pod> pods(String namespace, Map<String, String> labels) {
        return client.pods().inNamespace(namespace).withLabels(labels).list().getItems();
    }

    List<ConfigMap> roots(String namespace, Map<String, String> labels) {
        return client.configMaps().inNamespace(namespace).withLabels(labels).list().getItems();
    }

    List<Deployment> deployments(String namespace, Map<String, String> labels) {
        return client.apps().deployments().inNamespace(namespace).withLabels(labels).list().getItems();
    }

    /** What was said of a pod. */
    List<Event> events(String namespace, String pod) {
        return client.v1().events().inNamespace(namespace).withField("involvedObject.name", pod).list().getItems();
    }

    /**
     * What a container said from a time on, each line behind its time; empty when it has not begun, or its machine does not
     * answer.
     */
    String logSince(String namespace, String pod, String container, String time) {
        TimeTailPrettyLoggable log = once().pods().inNamespace(namespace).withName(pod).inContainer(container)
                .usingTimestamps().limitBytes(MOST_BYTES);
        return read(time.isEmpty() ? log : log.sinceTime(time), MOST_BYTES);
    }

    /**
     * The last lines of a container; empty when there are none, or when they cannot be read, as those of a machine that is
     * gone:
     * they go with a reason that is to be told without them, too.
     */
    String lastLines(String namespace, String pod, String container, boolean previous, int lines, int most) {
        ContainerResource log = once().pods().inNamespace(namespace).withName(pod).inContainer(container);
        try {
            return read(previous ? log.terminated().tailingLines(lines) : log.tailingLines(lines), most);
        } catch (KubernetesClientException | UncheckedIOException e) {
            LOG.debugf(e, "the last lines of a container cannot be read");
            return "";
        }
    }

    /** Asks once: a log is looked at again anyway, and nobody is to wait half a minute for a machine that is away. */
    private KubernetesClient once() {
        RequestConfig usual = client.getConfiguration().getRequestConfig();
        return client.newClient(new RequestConfigBuilder(usual).withRequestRetryBackoffLimit(0).build())
                .adapt(KubernetesClient.class);
    }

    /** A line may be as long as the log: no more is read than is wanted. */
    private static String read(Loggable log, int most) {
        try (InputStream in = log.getLogInputStream()) {
            return in == null ? "" : new String(in.readNBytes(most), StandardCharsets.UTF_8);
        } catch (KubernetesClientException e) {
            boolean machineIsAway = e.getCode() >= HTTP_INTERNAL_ERROR;
            if (e.getCode() == HTTP_BAD_REQUEST || e.getCode() == HTTP_NOT_FOUND || machineIsAway) {
                return "";
            }
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** If it is still the version it was read in. */
    void deleteService(String namespace, String name, String version) {
        try {
            client.services().inNamespace(namespace).withName(name).lockResourceVersion(version).delete();
        } catch (KubernetesClientException e) {
            rethrowUnless(e, HTTP_CONFLICT);
        }
    }

    void deleteIngress(String namespace, String name) {
        delete(client.resources(Ingress.class), namespace, name);
    }

    /** A revision's objects other than its root. */
    void deleteRevision(String namespace, String name, String credential) {
        delete(client.resources(HorizontalPodAutoscaler.class), namespace, name);
        delete(client.resources(PodDisruptionBudget.class), namespace, name);
        delete(client.resources(Deployment.class), namespace, name);
        deleteUnread(client.secrets().inNamespace(namespace).withName(name));
        deleteUnread(client.secrets().inNamespace(namespace).withName(credential));
    }

    void deleteRoot(String namespace, String name) {
        delete(client.configMaps(), namespace, name);
    }

    private static <T extends HasMetadata> void delete(MixedOperation<T, ?, ? extends Resource<T>> kind, String namespace,
            String name) {
        Resource<T> object = kind.inNamespace(namespace).withName(name);
        T present = object.get();
        if (present != null && Names.isOwned(present)) {
            deleteUnread(object);
        } else if (present != null) {
            LOG.warnf("an object that Waybill did not make is not deleted: kind=%s namespace=%s name=%s", present.getKind(),
                    namespace, name);
        }
    }

    // Pods may still finish their work: nobody waits for them here.
    private static void deleteUnread(Resource<?> object) {
        object.withPropagationPolicy(DeletionPropagation.BACKGROUND).delete();
    }

    // Secrets cannot be read with the rights of the control plane; the ConfigMap of their revision, applied before them, can.
    private void requireOwned(HasMetadata object) {
        HasMetadata present = object instanceof Secret ? null : client.resource(object).get();
        if (present != null && !Names.isOwned(present)) {
            throw new StepFailure("The cluster has a " + present.getKind() + " \"" + present.getMetadata().getName()
                    + "\" that Waybill did not make. The operator deletes or renames it.");
        }
    }

    private static <T extends HasMetadata> Optional<T> owned(@Nullable T object) {
        return Optional.ofNullable(object).filter(Names::isOwned);
    }

    private static boolean rethrowUnless(KubernetesClientException e, int code) {
        if (e.getCode() == code) {
            return false;
        }
        throw e;
    }
}
