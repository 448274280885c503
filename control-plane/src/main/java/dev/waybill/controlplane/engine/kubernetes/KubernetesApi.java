package dev.waybill.controlplane.engine.kubernetes;

import static java.net.HttpURLConnection.HTTP_BAD_REQUEST;
import static java.net.HttpURLConnection.HTTP_CONFLICT;
import static java.net.HttpURLConnection.HTTP_FORBIDDEN;
import static java.net.HttpURLConnection.HTTP_INTERNAL_ERROR;
import static java.net.HttpURLConnection.HTTP_NOT_FOUND;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.LineReader;
import dev.waybill.controlplane.engine.LineReader.LineConsumer;
import dev.waybill.controlplane.engine.StepFailedException;
import dev.waybill.controlplane.engine.kubernetes.manifest.ObjectNames;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.dsl.BytesLimitTerminateTimeTailPrettyLoggable;
import io.fabric8.kubernetes.client.dsl.ContainerResource;
import io.fabric8.kubernetes.client.dsl.Loggable;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.TailPrettyLoggable;
import io.fabric8.kubernetes.client.dsl.TimeTailPrettyLoggable;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.vertx.core.http.HttpClosedException;

/**
 * All requests to the API server; docs/operations/kubernetes-engine.md "Rights in the cluster" lists the permissions they need.
 * Methods block.
 */
@Singleton
class KubernetesApi {

    private static final Logger LOG = Logger.getLogger(KubernetesApi.class);

    /** Maximum size of one read of a container's log. */
    static final int MAX_LOG_BYTES = 256 << 10;

    private final KubernetesClient client;

    KubernetesApi(KubernetesClient client) {
        this.client = client;
    }

    /**
     * Applies the object (server-side apply), overriding changes by other field managers.
     *
     * @throws StepFailedException if an object of that kind and name exists that Waybill did not create
     */
    <T extends HasMetadata> T apply(T object) {
        requireOwned(object);
        return client.resource(object).fieldManager(ObjectNames.MANAGER).forceConflicts().serverSideApply();
    }

    /**
     * Creates the Service.
     *
     * @return false if it already exists
     * @throws StepFailedException if the existing one was not created by Waybill
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

    /**
     * Like {@link #apply}, if the resource version is unchanged.
     *
     * @return false if it has changed
     */
    boolean replace(Service service, String version) {
        service.getMetadata().setResourceVersion(version);
        try {
            apply(service);
            return true;
        } catch (KubernetesClientException e) {
            return rethrowUnless(e, HTTP_CONFLICT);
        }
    }

    /**
     * Raises the number of replicas to at least the given one. Uses another field manager, because the autoscaler owns the
     * field.
     */
    void scaleUp(String namespace, String name, int pods) {
        Resource<Deployment> deployment = client.resources(Deployment.class).inNamespace(namespace).withName(name);
        Deployment present = deployment.get();
        Integer now = present == null ? null : present.getSpec().getReplicas();
        if (present != null && (now == null || now < pods)) {
            deployment.patch(new PatchContext.Builder().withPatchType(PatchType.JSON_MERGE)
                    .withFieldManager(ObjectNames.MANAGER + "-scale").build(), "{\"spec\": {\"replicas\": " + pods + "}}");
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
        return repeatIfClosed(() -> client.pods().inNamespace(namespace).withLabels(labels).list().getItems());
    }

    /** Returns the list of the pods' metrics as JSON; empty if the cluster does not have the metrics API. */
    Optional<String> podMetrics(String namespace, Map<String, String> labels) {
        String selector = labels.entrySet().stream()
                .map(label -> URLEncoder.encode(label.getKey() + "=" + label.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining(","));
        try {
            return Optional.ofNullable(clientWithoutRetries().raw("/apis/metrics.k8s.io/v1beta1/namespaces/" + namespace
                    + "/pods?labelSelector=" + selector));
        } catch (KubernetesClientException e) {
            LOG.debugf(e, "the metrics of pods cannot be read");
            return Optional.empty();
        }
    }

    List<ConfigMap> roots(String namespace, Map<String, String> labels) {
        return client.configMaps().inNamespace(namespace).withLabels(labels).list().getItems();
    }

    List<Deployment> deployments(String namespace, Map<String, String> labels) {
        return client.apps().deployments().inNamespace(namespace).withLabels(labels).list().getItems();
    }

    /** Returns the events of a pod. */
    List<Event> events(String namespace, String pod) {
        return client.v1().events().inNamespace(namespace).withField("involvedObject.name", pod).list().getItems();
    }

    /**
     * Returns a container's log since a time, each line prefixed with its timestamp; empty if the container has not started or
     * its node does not respond.
     */
    String logSince(String namespace, String pod, String container, String time) {
        TimeTailPrettyLoggable log = clientWithoutRetries().pods().inNamespace(namespace).withName(pod).inContainer(container)
                .usingTimestamps().limitBytes(MAX_LOG_BYTES);
        return read(time.isEmpty() ? log : log.sinceTime(time), MAX_LOG_BYTES);
    }

    /**
     * Passes the complete lines of a container's log to the consumer, each prefixed with its timestamp; none if the container
     * has not started or its node does not respond.
     */
    void readLog(String namespace, String pod, String container, LogRange range, LineConsumer consumer) {
        BytesLimitTerminateTimeTailPrettyLoggable log = clientWithoutRetries().pods().inNamespace(namespace).withName(pod)
                .inContainer(container).usingTimestamps();
        TimeTailPrettyLoggable selected = range.isPrevious() ? log.terminated() : log;
        TailPrettyLoggable recent = range.since() == null ? selected
                : selected.sinceTime(range.since().truncatedTo(ChronoUnit.SECONDS).toString());
        Loggable last = range.tail() == null ? recent : recent.tailingLines(range.tail());
        try (InputStream in = repeatIfClosed(last::getLogInputStream)) {
            if (in != null) {
                LineReader.read(in, consumer);
            }
        } catch (KubernetesClientException e) {
            rethrowUnlessUnavailable(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Part of a container's log.
     *
     * @param isPrevious whether it is the log of the container before its last restart
     * @param tail number of last lines; null for all lines
     */
    record LogRange(boolean isPrevious, @Nullable Instant since, @Nullable Integer tail) {
    }

    /**
     * Returns the last lines of a container's log; empty if they cannot be read, because they only supplement a failure's
     * reason.
     */
    String lastLines(String namespace, String pod, String container, boolean previous, int lines, int maxBytes) {
        ContainerResource log = clientWithoutRetries().pods().inNamespace(namespace).withName(pod).inContainer(container);
        try {
            return read(previous ? log.terminated().tailingLines(lines) : log.tailingLines(lines), maxBytes);
        } catch (KubernetesClientException | UncheckedIOException e) {
            LOG.debugf(e, "the last lines of a container's log cannot be read");
            return "";
        }
    }

    /**
     * Returns a client that does not retry: logs are read periodically, and retries would wait half a minute for an unreachable
     * node.
     */
    private KubernetesClient clientWithoutRetries() {
        RequestConfig defaults = client.getConfiguration().getRequestConfig();
        return client.newClient(new RequestConfigBuilder(defaults).withRequestRetryBackoffLimit(0).build())
                .adapt(KubernetesClient.class);
    }

    /** Reads a second time if the cluster closed the connection, which can happen to one that was kept alive. */
    private static <T> T repeatIfClosed(Supplier<T> read) {
        try {
            return read.get();
        } catch (KubernetesClientException e) {
            if (e.getCause() instanceof HttpClosedException) {
                return read.get();
            }
            throw e;
        }
    }

    /** Reads at most {@code maxBytes}, because a single line can be as long as the log. */
    private static String read(Loggable log, int maxBytes) {
        try (InputStream in = repeatIfClosed(log::getLogInputStream)) {
            return in == null ? "" : new String(in.readNBytes(maxBytes), StandardCharsets.UTF_8);
        } catch (KubernetesClientException e) {
            rethrowUnlessUnavailable(e);
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // The container has not started, its pod was deleted, or its node does not respond.
    private static void rethrowUnlessUnavailable(KubernetesClientException e) {
        if (e.getCode() != HTTP_BAD_REQUEST && e.getCode() != HTTP_NOT_FOUND && e.getCode() < HTTP_INTERNAL_ERROR) {
            throw e;
        }
    }

    /** Deletes the Service if its resource version is unchanged. */
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

    /** Deletes all objects of a revision except its root. */
    void deleteRevision(String namespace, String name, String credential) {
        delete(client.resources(HorizontalPodAutoscaler.class), namespace, name);
        delete(client.resources(PodDisruptionBudget.class), namespace, name);
        delete(client.resources(Deployment.class), namespace, name);
        deleteInBackground(client.secrets().inNamespace(namespace).withName(name));
        deleteInBackground(client.secrets().inNamespace(namespace).withName(credential));
    }

    void deleteRoot(String namespace, String name) {
        delete(client.configMaps(), namespace, name);
    }

    private static <T extends HasMetadata> void delete(MixedOperation<T, ?, ? extends Resource<T>> kind, String namespace,
            String name) {
        Resource<T> object = kind.inNamespace(namespace).withName(name);
        T present = object.get();
        if (present != null && ObjectNames.isOwned(present)) {
            deleteInBackground(object);
        } else if (present != null) {
            LOG.warnf("an object that Waybill did not create is not deleted: kind=%s namespace=%s name=%s", present.getKind(),
                    namespace, name);
        }
    }

    // Background propagation does not wait for the pods' termination.
    private static void deleteInBackground(Resource<?> object) {
        object.withPropagationPolicy(DeletionPropagation.BACKGROUND).delete();
    }

    // The control plane has no permission to read Secrets; their revision's ConfigMap, applied before them, is checked instead.
    private void requireOwned(HasMetadata object) {
        HasMetadata present = object instanceof Secret ? null : client.resource(object).get();
        if (present != null && !ObjectNames.isOwned(present)) {
            throw new StepFailedException("The cluster has a " + present.getKind() + " \"" + present.getMetadata().getName()
                    + "\" that Waybill did not create. Ask the operator to delete or rename it.");
        }
    }

    private static <T extends HasMetadata> Optional<T> owned(@Nullable T object) {
        return Optional.ofNullable(object).filter(ObjectNames::isOwned);
    }

    private static boolean rethrowUnless(KubernetesClientException e, int code) {
        if (e.getCode() == code) {
            return false;
        }
        throw e;
    }

    /** Maps errors of the API server to a reason for the user. */
    static final class ApiErrors {

        private static final int UNPROCESSABLE = 422;
        /** The authorizer's message for a missing permission; admission control and quotas use other messages. */
        private static final Pattern MISSING_PERMISSION = Pattern.compile("User \"[^\"]*\" cannot [a-z]+ resource ");

        private ApiErrors() {
        }

        /** Returns the failed outcome; empty for errors that neither the user nor the operator can fix. */
        static Optional<Outcome.Failed> outcome(KubernetesClientException error) {
            Status status = error.getStatus();
            String message = status == null || status.getMessage() == null ? "" : status.getMessage();
            return switch (error.getCode()) {
                case HTTP_NOT_FOUND -> message.contains("namespaces ")
                        ? Optional.of(Outcome.Failed.permanent(
                                "The applications' namespace does not exist: " + message + ". Ask the operator to create it."))
                        : Optional.empty();
                case HTTP_BAD_REQUEST, UNPROCESSABLE -> Optional.of(Outcome.Failed.permanent(
                        "The cluster rejects the application's objects as invalid: " + message + "."));
                case HTTP_FORBIDDEN -> Optional.of(forbidden(message));
                default -> Optional.empty();
            };
        }

        private static Outcome.Failed forbidden(String message) {
            if (message.contains("exceeded quota")) {
                return new Outcome.Failed("The namespace's quota in the cluster is exhausted: " + message
                        + ". Delete a deployment, or have the operator raise the quota.", true);
            }
            if (MISSING_PERMISSION.matcher(message).find()) {
                return new Outcome.Failed("The control plane lacks a permission in the cluster: " + message
                        + ". Ask the operator to apply k8s/base/applications/rights.yaml, which lists every permission.", true);
            }
            return Outcome.Failed.permanent("The cluster's admission control rejects the application: " + message
                    + ". Fix the named fields, or ask the operator to adapt the policy.");
        }
    }
}
