package dev.waybill.controlplane.engine.kubernetes;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import io.fabric8.mockwebserver.http.Buffer;
import io.fabric8.mockwebserver.http.Headers;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;

/**
 * fabric8's mock server, extended with server-side apply and logs. It stores objects and notifies watchers, without
 * controllers, admission and garbage collection, whose role tests play. Apply creates or replaces an object except its status,
 * with the resource version checked; field ownership is not tracked.
 */
final class FakeCluster implements AutoCloseable {

    static final String NAMESPACE = "apps";

    private static final Pattern PATH = Pattern.compile("/(?:api|apis/(?<group>[^/]+))/v[0-9][^/]*(?:/namespaces/[^/?]+)?"
            + "/(?<resource>[a-z]+)(?:/(?<name>[^/?]+))?(?:/(?<sub>[a-z]+))?(?:\\?.*)?");

    // Suppresses a log line for each request.
    private static final Logger REQUESTS = Logger.getLogger("io.fabric8.mockwebserver");

    private final Map<String, String> logs = new ConcurrentHashMap<>();
    private final Set<String> requests = new ConcurrentSkipListSet<>();
    private final List<Function<RecordedRequest, @Nullable MockResponse>> interceptors = new CopyOnWriteArrayList<>();
    private final KubernetesMockServer server;
    private final KubernetesClient client;

    FakeCluster() {
        REQUESTS.setLevel(Level.WARNING);
        server = new KubernetesMockServer(new Context(Serialization.jsonMapper()), new MockWebServer(), new HashMap<>(),
                new ApplyDispatcher(), false);
        server.init();
        client = server.createClient(new VertxHttpClientFactory());
    }

    KubernetesClient client() {
        return client;
    }

    /** Returns all requests so far, as {@code group/resource verb}. */
    Set<String> requests() {
        return new TreeSet<>(requests);
    }

    /** Adds an interceptor whose non-null responses replace the server's. */
    void intercept(Function<RecordedRequest, @Nullable MockResponse> intercept) {
        interceptors.add(intercept);
    }

    void removeInterceptors() {
        interceptors.clear();
    }

    /** Sets a container's log. */
    void setLog(String container, String log) {
        logs.put(container, log);
    }

    /** Replaces the revision's pod by one with the given status, as controllers and a kubelet do. */
    void pod(String revision, PodStatus status) {
        Deployment deployment = client.apps().deployments().inNamespace(NAMESPACE).withName(revision).get();
        client.pods().inNamespace(NAMESPACE).withName(revision + "-pod").withGracePeriod(0).delete();
        client.pods().inNamespace(NAMESPACE).resource(new PodBuilder()
                .withNewMetadata().withName(revision + "-pod").withNamespace(NAMESPACE)
                .withLabels(deployment.getSpec().getTemplate().getMetadata().getLabels()).endMetadata()
                .withSpec(deployment.getSpec().getTemplate().getSpec())
                .withStatus(status)
                .build()).create();
    }

    /** Sets the number of ready pods. */
    void ready(String revision, int pods) {
        client.apps().deployments().inNamespace(NAMESPACE).withName(revision).editStatus(deployment -> {
            deployment.setStatus(new io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder()
                    .withAvailableReplicas(pods).withUpdatedReplicas(pods).withReadyReplicas(pods)
                    .withObservedGeneration(Long.MAX_VALUE).build());
            return deployment;
        });
    }

    static MockResponse response(HasMetadata object) {
        return new MockResponse().setResponseCode(200).setBody(Serialization.asJson(object));
    }

    static MockResponse error(int code, String message) {
        return new MockResponse().setResponseCode(code).setBody(Serialization.asJson(new StatusBuilder()
                .withStatus("Failure").withCode(code).withMessage(message).build()));
    }

    @Override
    public void close() {
        client.close();
        server.destroy();
    }

    private final class ApplyDispatcher extends KubernetesCrudDispatcher {

        @Override
        public MockResponse dispatch(RecordedRequest request) {
            recordRequest(request.getMethod(), request.getPath());
            for (Function<RecordedRequest, @Nullable MockResponse> intercept : interceptors) {
                MockResponse response = intercept.apply(request);
                if (response != null) {
                    return response;
                }
            }
            Matcher path = PATH.matcher(request.getPath());
            if (path.matches() && "log".equals(path.group("sub"))) {
                return log(request.getPath());
            }
            return super.dispatch(request);
        }

        @Override
        public MockResponse handlePatch(RecordedRequest request) {
            String type = String.valueOf(request.getHeader("Content-Type"));
            if (!type.contains("apply-patch")) {
                return super.handlePatch(request);
            }
            String path = request.getPath().replaceAll("\\?.*", "");
            // Reading the body consumes it.
            String body = request.getUtf8Body();
            MockResponse replaced = super.handleUpdate(as(HttpMethod.PUT, path, withStatus(body, path)));
            if (replaced.code() != 404) {
                return replaced;
            }
            String folder = path.substring(0, path.lastIndexOf('/'));
            recordRequest("POST", folder);
            return super.handleCreate(as(HttpMethod.POST, folder, body));
        }

        private RecordedRequest as(HttpMethod method, String path, String body) {
            return new RecordedRequest("HTTP/1.1", method, path,
                    Headers.builder().add("Content-Type", "application/json").build(),
                    new Buffer(body.getBytes(StandardCharsets.UTF_8)));
        }

        // Apply does not change the status subresource.
        private String withStatus(String body, String path) {
            MockResponse present = super.handleGet(path);
            if (present.code() != 200) {
                return body;
            }
            ObjectNode object = Serialization.unmarshal(body, ObjectNode.class);
            JsonNode status = Serialization.unmarshal(present.getBody().readUtf8(), ObjectNode.class).get("status");
            return status == null ? body : Serialization.asJson(object.set("status", status));
        }

        private MockResponse log(String path) {
            String container = path.replaceAll(".*[?&]container=([a-z]+).*", "$1")
                    + (path.contains("previous=true") ? " before" : "");
            return logs.containsKey(container) ? new MockResponse().setResponseCode(200).setBody(logs.get(container))
                    : error(400, "container \"" + container + "\" is waiting to start");
        }

        private void recordRequest(String method, String path) {
            Matcher matcher = PATH.matcher(path);
            if (!matcher.matches()) {
                requests.add("unknown " + method + " " + path);
                return;
            }
            String group = matcher.group("group") == null ? "" : matcher.group("group");
            String sub = matcher.group("sub") == null ? "" : "/" + matcher.group("sub");
            requests.add(group + " " + matcher.group("resource") + sub + " " + verb(method, path, matcher.group("name")));
        }

        private String verb(String method, String path, @Nullable String name) {
            return switch (method) {
                case "GET" -> path.contains("watch=true") ? "watch" : name == null ? "list" : "get";
                case "POST" -> "create";
                case "PUT" -> "update";
                case "PATCH" -> "patch";
                case "DELETE" -> name == null ? "deletecollection" : "delete";
                default -> method;
            };
        }
    }
}
