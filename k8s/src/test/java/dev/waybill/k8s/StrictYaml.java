package dev.waybill.k8s;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;

/** Parses YAML to Kubernetes types; unknown and duplicate fields are errors. */
final class StrictYaml {

    private static final Map<String, Class<? extends HasMetadata>> TYPES = Stream
            .<Class<? extends HasMetadata>> of(ConfigMap.class, Deployment.class, HTTPRoute.class,
                    HorizontalPodAutoscaler.class,
                    Ingress.class, LimitRange.class, Namespace.class, NetworkPolicy.class, PodDisruptionBudget.class,
                    ResourceQuota.class, Role.class, RoleBinding.class, Service.class, ServiceAccount.class)
            .collect(Collectors.toMap(StrictYaml::kind, Function.identity()));

    private static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .annotationIntrospector(new RejectUnknownFields())
            .build();

    private StrictYaml() {
    }

    static List<JsonNode> trees(String text) {
        try (var documents = YAML.readerFor(JsonNode.class).<JsonNode> readValues(text)) {
            return documents.readAll();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<HasMetadata> manifests(String text) {
        return trees(text).stream().map(StrictYaml::manifest).toList();
    }

    private static HasMetadata manifest(JsonNode tree) {
        String kind = tree.path("apiVersion").asText() + "/" + tree.path("kind").asText();
        Class<? extends HasMetadata> type = TYPES.get(kind);
        if (type == null) {
            throw new IllegalArgumentException("unknown type " + kind + "; add it to TYPES");
        }
        try {
            return YAML.treeToValue(tree, type);
        } catch (IOException e) {
            throw new IllegalArgumentException(kind + " " + tree.at("/metadata/name").asText() + ": " + e.getMessage(), e);
        }
    }

    private static String kind(Class<? extends HasMetadata> type) {
        return HasMetadata.getApiVersion(type) + "/" + HasMetadata.getKind(type);
    }

    /** Disables the setters that collect unknown fields. */
    private static final class RejectUnknownFields extends JacksonAnnotationIntrospector {

        private static final long serialVersionUID = 1;

        @Override
        public Boolean hasAnySetter(Annotated annotated) {
            return false;
        }
    }
}
