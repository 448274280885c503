package dev.waybill.controlplane.engine.kubernetes.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.waybill.controlplane.engine.RevisionSpec.ResourceSpec;
import dev.waybill.controlplane.engine.kubernetes.manifest.PodTemplates.PodResources;
import dev.waybill.controlplane.engine.kubernetes.manifest.PodTemplates.RuntimeLanguages;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;

class ImageAndResourcesTest {

    private final PodResources podResources = new PodResources(RevisionSpecFixtures.config());

    @Test
    void choosesTheImageByLanguages() {
        Map<String, String> images = Map.of("node", "n", "python", "p", "all", "a");
        assertThat(RuntimeLanguages.of(List.of("node")).image(images)).hasValue("n");
        assertThat(RuntimeLanguages.of(List.of("command")).image(images)).hasValue("a");
        assertThat(RuntimeLanguages.of(List.of("node", "python")).image(images)).hasValue("a");
        assertThat(RuntimeLanguages.of(List.of("node", "python")).image(Map.of("node", "n", "python", "p"))).isEmpty();
        assertThat(RuntimeLanguages.of(List.of("python")).image(Map.of("node", "n"))).isEmpty();
    }

    @Test
    void parsesTheAnnotation() {
        RuntimeLanguages both = RuntimeLanguages.of(List.of("python", "node"));
        assertThat(RuntimeLanguages.parse(both.toText())).hasValue(both);
        assertThat(RuntimeLanguages.parse("")).hasValue(RuntimeLanguages.NONE);
        assertThat(RuntimeLanguages.parse(null)).isEmpty();
    }

    @Test
    void defaultsAreConsistentWithExplicitValues() {
        assertThat(podResources.of(spec(null, null, null, null))).isEqualTo(resources("250m", "1", "512Mi", "1Gi"));
        assertThat(podResources.of(spec(3.0, null, 4096, null))).isEqualTo(resources("3", "3", "4Gi", "4Gi"));
        assertThat(podResources.of(spec(null, 0.1, null, 128))).isEqualTo(resources("100m", "100m", "128Mi", "128Mi"));
        assertThat(podResources.of(spec(1.5, 2.0, 300, 700))).isEqualTo(resources("1500m", "2", "300Mi", "700Mi"));
    }

    @Test
    void hasAtLeastOnePod() {
        ResourceSpec none = new ResourceSpec(0, null, null, null, null, null);
        ResourceSpec many = new ResourceSpec(3, 10, null, null, null, null);
        assertThat(PodResources.minReplicas(none)).isEqualTo(1);
        assertThat(PodResources.scales(none)).isFalse();
        assertThat(PodResources.minReplicas(many)).isEqualTo(3);
        assertThat(PodResources.maxReplicas(many)).isEqualTo(10);
        assertThat(PodResources.scales(many)).isTrue();
    }

    private static ResourceSpec spec(Double cpu, Double cpuLimit, Integer memory, Integer memoryLimit) {
        return new ResourceSpec(null, null, cpu, cpuLimit, memory, memoryLimit);
    }

    private static ResourceRequirements resources(String cpu, String cpuLimit, String memory, String memoryLimit) {
        ResourceRequirements resources = new ResourceRequirements();
        resources.setRequests(Map.of("cpu", new Quantity(cpu), "memory", new Quantity(memory)));
        resources.setLimits(Map.of("cpu", new Quantity(cpuLimit), "memory", new Quantity(memoryLimit)));
        return resources;
    }
}
