package dev.waybill.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.MetricSpec;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;

/** Compares the manifests of each service with the service's configuration. */
class WorkloadsTest {

    private static final BigDecimal MEBIBYTE = BigDecimal.valueOf(1024 * 1024);

    static Stream<Arguments> services() {
        return RenderedManifests.all()
                .flatMap(rendering -> ServiceDefinition.deployed().map(service -> Arguments.of(rendering, service)));
    }

    @ParameterizedTest
    @MethodSource("services")
    void portsMatchService(RenderedManifests rendering, ServiceDefinition service) {
        Service exposed = rendering.one(Service.class, service.module());

        assertThat(container(rendering, service).getPorts()).extracting("name", "containerPort").containsExactly(
                tuple("http", service.port()), tuple("management", service.managementPort()));
        assertThat(exposed.getSpec().getPorts()).singleElement().satisfies(port -> {
            assertThat(port.getPort()).isEqualTo(service.port());
            assertThat(port.getTargetPort().getStrVal()).isEqualTo("http");
        });
        assertThat(deployment(rendering, service).getSpec().getTemplate().getMetadata().getAnnotations())
                .containsEntry("prometheus.io/port", Integer.toString(service.managementPort()));
    }

    @ParameterizedTest
    @MethodSource("services")
    void selectorsMatchPodLabels(RenderedManifests rendering, ServiceDefinition service) {
        Map<String, String> labels = deployment(rendering, service).getSpec().getTemplate().getMetadata().getLabels();
        Map<String, String> selector = Map.of("app.kubernetes.io/name", service.module());

        assertThat(labels).containsAllEntriesOf(selector);
        assertThat(deployment(rendering, service).getSpec().getSelector().getMatchLabels()).isEqualTo(selector);
        assertThat(rendering.one(Service.class, service.module()).getSpec().getSelector()).isEqualTo(selector);
        assertThat(rendering.one(PodDisruptionBudget.class, service.module()).getSpec().getSelector().getMatchLabels())
                .isEqualTo(selector);
        assertThat(pod(rendering, service).getTopologySpreadConstraints()).hasSize(2)
                .allSatisfy(spread -> {
                    assertThat(spread.getLabelSelector().getMatchLabels()).isEqualTo(selector);
                    assertThat(spread.getMatchLabelKeys()).containsExactly("pod-template-hash");
                });
        assertThat(rendering.one(HorizontalPodAutoscaler.class, service.module()).getSpec().getScaleTargetRef().getName())
                .isEqualTo(service.module());
        assertThat(pod(rendering, service).getServiceAccountName())
                .isEqualTo(rendering.one(ServiceAccount.class, service.module()).getMetadata().getName());
    }

    @ParameterizedTest
    @MethodSource("services")
    void imageHasProjectVersion(RenderedManifests rendering, ServiceDefinition service) {
        assertThat(container(rendering, service).getImage())
                .isEqualTo("waybill/" + service.module() + ":" + ProjectFiles.version());
    }

    @ParameterizedTest
    @MethodSource("services")
    void probesUseDistinctHealthEndpoints(RenderedManifests rendering, ServiceDefinition service) {
        Container container = container(rendering, service);

        assertThat(List.of(container.getStartupProbe(), container.getLivenessProbe(), container.getReadinessProbe()))
                .extracting(probe -> probe.getHttpGet().getPath())
                .containsExactly("/q/health/started", "/q/health/live", "/q/health/ready");
        assertThat(Stream.of(container.getStartupProbe(), container.getLivenessProbe(), container.getReadinessProbe())
                .map(Probe::getHttpGet))
                .allSatisfy(action -> assertThat(action.getPort().getStrVal()).isEqualTo("http"));
    }

    @ParameterizedTest
    @MethodSource("services")
    void gracePeriodCoversShutdown(RenderedManifests rendering, ServiceDefinition service) {
        long preStop = container(rendering, service).getLifecycle().getPreStop().getSleep().getSeconds();

        assertThat(pod(rendering, service).getTerminationGracePeriodSeconds())
                .isGreaterThan(preStop + service.shutdownTimeout().toSeconds());
    }

    @ParameterizedTest
    @MethodSource("services")
    void podIsRestrictedAndWritesToTmpOnly(RenderedManifests rendering, ServiceDefinition service) {
        PodSpec pod = pod(rendering, service);
        Container container = container(rendering, service);

        assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(pod.getSecurityContext().getRunAsUser()).isPositive();
        assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
        assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
        assertThat(container.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
        assertThat(pod.getVolumes()).singleElement()
                .satisfies(volume -> assertThat(volume.getEmptyDir().getSizeLimit()).isNotNull());
        assertThat(container.getVolumeMounts()).extracting("mountPath").containsExactly("/tmp");
        assertThat(pod.getAutomountServiceAccountToken()).isEqualTo(service == ServiceDefinition.CONTROL_PLANE);
    }

    @ParameterizedTest
    @MethodSource("services")
    void memoryAndDiskLimitsCoverHeapAndFiles(RenderedManifests rendering, ServiceDefinition service) {
        PodSpec pod = pod(rendering, service);
        Map<String, Quantity> limits = container(rendering, service).getResources().getLimits();
        BigDecimal tmpSize = bytes(pod.getVolumes().getFirst().getEmptyDir().getSizeLimit());

        // 320 MiB for classes, compiled code, stacks and buffers; docs/operations/README.md "Memory of the export
        // service".
        assertThat(bytes(limits.get("memory"))).isGreaterThanOrEqualTo(mebibytes(service.testedHeapMebibytes() + 320L));
        assertThat(tmpSize).isGreaterThanOrEqualTo(requiredDisk(service));
        assertThat(bytes(limits.get("ephemeral-storage"))).isGreaterThan(tmpSize);
    }

    @ParameterizedTest
    @MethodSource("services")
    void autoscalerUsesDocumentedMetrics(RenderedManifests rendering, ServiceDefinition service) {
        HorizontalPodAutoscaler scaler = rendering.one(HorizontalPodAutoscaler.class, service.module());

        assertThat(scaler.getSpec().getMetrics().stream().filter(metric -> metric.getResource() != null)).hasSize(1);
        assertThat(scaler.getSpec().getMetrics().stream().map(MetricSpec::getPods).filter(pods -> pods != null))
                .allSatisfy(pods -> assertThat(ProjectFiles.text("docs/operations/metrics.md"))
                        .contains("| `" + pods.getMetric().getName() + "` |"));
        assertThat(scaler.getSpec().getMinReplicas()).isLessThanOrEqualTo(scaler.getSpec().getMaxReplicas());
    }

    private static BigDecimal requiredDisk(ServiceDefinition service) {
        return switch (service) {
            case CONTROL_PLANE -> size("waybill.source.max-transfer-size")
                    .multiply(new BigDecimal(ProjectFiles.defaultOf("waybill.source.max-concurrent-fetches")));
            case EXPERIMENT -> size("waybill.upload.max-disk");
            case EXPORT, CONSOLE, RUNTIME -> mebibytes(64);
        };
    }

    private static BigDecimal size(String key) {
        return bytes(Quantity.parse(ProjectFiles.defaultOf(key) + "i"));
    }

    private static BigDecimal mebibytes(long number) {
        return MEBIBYTE.multiply(BigDecimal.valueOf(number));
    }

    private static BigDecimal bytes(Quantity quantity) {
        return Quantity.getAmountInBytes(quantity);
    }

    private static Deployment deployment(RenderedManifests rendering, ServiceDefinition service) {
        return rendering.one(Deployment.class, service.module());
    }

    private static PodSpec pod(RenderedManifests rendering, ServiceDefinition service) {
        return deployment(rendering, service).getSpec().getTemplate().getSpec();
    }

    private static Container container(RenderedManifests rendering, ServiceDefinition service) {
        assertThat(pod(rendering, service).getContainers()).hasSize(1);
        return pod(rendering, service).getContainers().getFirst();
    }
}
