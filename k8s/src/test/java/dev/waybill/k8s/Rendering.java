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
 * Manifests as they reach a cluster: the base as it lies in its files, or a folder as kubectl makes it.
 *
 * @param name for people
 */
record Rendering(String name, List<HasMetadata> manifests) {

    private static final List<Rendering> ALL = Stream.concat(Stream.of(base()),
            Stream.of("k8s/overlays/dev", "k8s/overlays/production", "k8s/overlays/eu")
                    .map(Rendering::byKubectl)
                    .flatMap(Optional::stream))
            .toList();

    /** The base always, the overlays where kubectl is on the path. */
    static Stream<Rendering> all() {
        return ALL.stream();
    }

    /** Without kubectl, so what kustomizations change is not in it: namespaces, common labels, hashes in names. */
    private static Rendering base() {
        List<HasMetadata> manifests = new ArrayList<>();
        for (String part : List.of("k8s/base/services/", "k8s/base/applications/")) {
            JsonNode kustomization = StrictYaml.trees(Project.text(part + "kustomization.yaml")).getFirst();
            kustomization.path("resources")
                    .forEach(file -> manifests.addAll(StrictYaml.manifests(Project.text(part + file.asText()))));
            kustomization.path("configMapGenerator").forEach(map -> manifests.add(configMap(part, map)));
        }
        return new Rendering("base", manifests);
    }

    /** @return empty where there is no kubectl */
    private static Optional<Rendering> byKubectl(String folder) {
        try {
            Process kubectl = new ProcessBuilder("kubectl", "kustomize", folder)
                    .directory(Project.ROOT.toFile())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(kubectl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (kubectl.waitFor() != 0) {
                throw new IllegalStateException("kubectl kustomize " + folder + ": " + output);
            }
            return Optional.of(new Rendering(folder, StrictYaml.manifests(output)));
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

    /** Where kustomize has put a hash at the end of the name, too. */
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
        Map<String, String> values = Project.properties(folder + generator.path("envs").path(0).asText()).entrySet().stream()
                .collect(Collectors.toMap(entry -> entry.getKey().toString(), entry -> entry.getValue().toString()));
        return new ConfigMapBuilder()
                .withNewMetadata().withName(generator.path("name").asText()).endMetadata()
                .withData(values)
                .build();
    }
}
