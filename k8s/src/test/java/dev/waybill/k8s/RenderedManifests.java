package dev.waybill.k8s;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * The manifests of the base, read from its files, or of an overlay, rendered by kubectl.
 *
 * @param name the display name in test reports
 */
record RenderedManifests(String name, List<HasMetadata> manifests) {

    private static final List<RenderedManifests> ALL = Stream.concat(Stream.of(base()),
            Stream.of("k8s/overlays/dev", "k8s/overlays/production", "k8s/overlays/eu")
                    .map(RenderedManifests::byKubectl)
                    .flatMap(Optional::stream))
            .toList();

    /** Returns the base and, if kubectl is on the path, the overlays. */
    static Stream<RenderedManifests> all() {
        return ALL.stream();
    }

    /** Reads the files without kubectl, so without namespaces, common labels and name hashes of kustomizations. */
    private static RenderedManifests base() {
        List<HasMetadata> manifests = new ArrayList<>();
        for (String part : List.of("k8s/base/services/", "k8s/base/applications/")) {
            JsonNode kustomization = StrictYaml.trees(ProjectFiles.text(part + "kustomization.yaml")).getFirst();
            kustomization.path("resources")
                    .forEach(file -> manifests.addAll(StrictYaml.manifests(ProjectFiles.text(part + file.asText()))));
            kustomization.path("configMapGenerator").forEach(map -> manifests.add(configMap(part, map)));
        }
        return new RenderedManifests("base", manifests);
    }

    /** Returns empty if kubectl is not on the path. */
    private static Optional<RenderedManifests> byKubectl(String folder) {
        try {
            Process kubectl = new ProcessBuilder("kubectl", "kustomize", folder)
                    .directory(ProjectFiles.ROOT.toFile())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(kubectl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (kubectl.waitFor() != 0) {
                throw new IllegalStateException("kubectl kustomize " + folder + ": " + output);
            }
            return Optional.of(new RenderedManifests(folder, StrictYaml.manifests(output)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    <T extends HasMetadata> Stream<T> all(Class<T> type) {
        return manifests.stream().filter(type::isInstance).map(type::cast);
    }

    /** Returns the only manifest of that type and name; ignores the hash that kustomize appends to names. */
    <T extends HasMetadata> T one(Class<T> type, String name) {
        return all(type)
                .filter(manifest -> manifest.getMetadata().getName().matches(name + "(-[a-z0-9]{10})?"))
                .collect(Collectors.collectingAndThen(Collectors.toList(), found -> {
                    if (found.size() != 1) {
                        throw new IllegalStateException(this.name + " has " + found.size() + " of " + type.getSimpleName() + " "
                                + name);
                    }
                    return found.getFirst();
                }));
    }

    @Override
    public String toString() {
        return name;
    }

    private static ConfigMap configMap(String folder, JsonNode generator) {
        Map<String, String> values = ProjectFiles.properties(folder + generator.path("envs").path(0).asText()).entrySet()
                .stream()
                .collect(Collectors.toMap(entry -> entry.getKey().toString(), entry -> entry.getValue().toString()));
        return new ConfigMapBuilder()
                .withNewMetadata().withName(generator.path("name").asText()).endMetadata()
                .withData(values)
                .build();
    }
}
