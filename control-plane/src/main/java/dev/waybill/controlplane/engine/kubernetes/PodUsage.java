package dev.waybill.controlplane.engine.kubernetes;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;

import dev.waybill.controlplane.engine.ApplicationUsage;
import dev.waybill.controlplane.engine.Engine.ApplicationId;
import dev.waybill.controlplane.engine.kubernetes.manifest.KubernetesEngineConfig;
import dev.waybill.controlplane.engine.kubernetes.manifest.ObjectNames;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;

/** Measures the pods of a revision; CPU and memory only if the cluster has the metrics API. */
@Singleton
class PodUsage {

    private static final String CONTAINER = "application";

    private final KubernetesApi cluster;
    private final KubernetesEngineConfig config;

    PodUsage(KubernetesApi cluster, KubernetesEngineConfig config) {
        this.cluster = cluster;
        this.config = config;
    }

    ApplicationUsage of(ApplicationId application) {
        String namespace = config.namespace(application.tenantId());
        Map<String, String> labels = Map.of(ObjectNames.REVISION, application.revisionId().toString());
        List<Pod> pods = cluster.pods(namespace, labels).stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null && pod.getStatus() != null)
                .toList();
        long restarts = pods.stream()
                .flatMap(pod -> pod.getStatus().getContainerStatuses().stream())
                .filter(container -> container.getName().equals(CONTAINER))
                .mapToLong(container -> container.getRestartCount())
                .sum();
        Optional<JsonNode> metrics = cluster.podMetrics(namespace, labels).flatMap(PodUsage::items);
        return new ApplicationUsage(pods.size(), (int) pods.stream().filter(PodUsage::isReady).count(), restarts,
                metrics.map(items -> sum(items, "cpu").doubleValue()).orElse(null),
                metrics.map(items -> sum(items, "memory").longValue()).orElse(null), null);
    }

    // Right after a start the cluster has no metrics of a pod.
    private static Optional<JsonNode> items(String text) {
        try {
            JsonNode items = JsonMapper.builder().build().readTree(text).path("items");
            return items.isEmpty() ? Optional.empty() : Optional.of(items);
        } catch (JacksonException _) {
            return Optional.empty();
        }
    }

    private static BigDecimal sum(JsonNode items, String resource) {
        BigDecimal sum = BigDecimal.ZERO;
        for (JsonNode item : items) {
            for (JsonNode container : item.path("containers")) {
                String amount = container.path("usage").path(resource).asText("");
                sum = sum.add(amount.isEmpty() ? BigDecimal.ZERO : Quantity.parse(amount).getNumericalAmount());
            }
        }
        return sum;
    }

    private static boolean isReady(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .anyMatch(condition -> condition.getType().equals("Ready") && condition.getStatus().equals("True"));
    }
}
