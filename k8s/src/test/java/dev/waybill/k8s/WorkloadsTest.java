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

/** Each service's manifests against that service. */
class WorkloadsTest {

    private static final BigDecimal MEBIBYTE = BigDecimal.valueOf(1024 * 1024);

    static Stream<Arguments> services() {
        return Rendering.all()
                .flatMap(rendering -> ServiceFacts.deployed().map(service -> Arguments.of(rendering, service)));
    }

    @ParameterizedTest
    @MethodSource("services")
    void listensWhereTheServiceDoes(Rendering rendering, ServiceFacts facts) {
        Service service = rendering.one(Service.class, facts.module());

        assertThat(container(rendering, facts).getPorts()).extracting("name", "containerPort").containsExactly(
                tuple("http", facts.port()), tuple("management", facts.managementPort()));
        assertThat(service.getSpec().getPorts()).singleElement().satisfies(port -> {
            assertThat(port.getPort()).isEqualTo(facts.port());
            assertThat(port.getTargetPort().getStrVal()).isEqualTo("http");
        });
        assertThat(deployment(rendering, facts).getSpec().getTemplate().getMetadata().getAnnotations())
                .containsEntry("prometheus.io/port", Integer.toString(facts.managementPort()));
    }

    @ParameterizedTest
    @MethodSource("services")
    void everythingOfAServiceMeansItsPods(Rendering rendering, ServiceFacts facts) {
        Map<String, String> labels = deployment(rendering, facts).getSpec().getTemplate().getMetadata().getLabels();
        Map<String, String> selector = Map.of("app.kubernetes.io/name", facts.module());

        assertThat(labels).containsAllEntriesOf(selector);
        assertThat(deployment(rendering, facts).getSpec().getSelector().getMatchLabels()).isEqualTo(selector);
        assertThat(rendering.one(Service.class, facts.module()).getSpec().getSelector()).isEqualTo(selector);
        assertThat(rendering.one(PodDisruptionBudget.class, facts.module()).getSpec().getSelector().getMatchLabels())
                .isEqualTo(selector);
        assertThat(pod(rendering, facts).getTopologySpreadConstraints()).hasSize(2)
                .allSatisfy(spread -> {
                    assertThat(spread.getLabelSelector().getMatchLabels()).isEqualTo(selector);
                    assertThat(spread.getMatchLabelKeys()).containsExactly("pod-template-hash");
                });
        assertThat(rendering.one(HorizontalPodAutoscaler.class, facts.module()).getSpec().getScaleTargetRef().getName())
                .isEqualTo(facts.module());
        assertThat(pod(rendering, facts).getServiceAccountName())
                .isEqualTo(rendering.one(ServiceAccount.class, facts.module()).getMetadata().getName());
    }

    @ParameterizedTest
    @MethodSource("services")
    void runsTheImageOfThisVersion(Rendering rendering, ServiceFacts facts) {
        assertThat(container(rendering, facts).getImage())
                .isEqualTo("waybill/" + facts.module() + ":" + Project.version());
    }

    @ParameterizedTest
    @MethodSource("services")
    void threeProbesAskThreeQuestions(Rendering rendering, ServiceFacts facts) {
        Container container = container(rendering, facts);

        assertThat(List.of(container.getStartupProbe(), container.getLivenessProbe(), container.getReadinessProbe()))
                .extracting(probe -> probe.getHttpGet().getPath())
                .containsExactly("/q/health/started", "/q/health/live", "/q/health/ready");
        assertThat(Stream.of(container.getStartupProbe(), container.getLivenessProbe(), container.getReadinessProbe())
                .map(Probe::getHttpGet))
                .allSatisfy(question -> assertThat(question.getPort().getStrVal()).isEqualTo("http"));
    }

    @ParameterizedTest
    @MethodSource("services")
    void hasTheTimeToEndInOrder(Rendering rendering, ServiceFacts facts) {
        long before = container(rendering, facts).getLifecycle().getPreStop().getSleep().getSeconds();

        assertThat(pod(rendering, facts).getTerminationGracePeriodSeconds())
                .isGreaterThan(before + facts.shutdownTimeout().toSeconds());
    }

    @ParameterizedTest
    @MethodSource("services")
    void isRestrictedAndWritesOnlyToDeclaredFolders(Rendering rendering, ServiceFacts facts) {
        PodSpec pod = pod(rendering, facts);
        Container container = container(rendering, facts);

        assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(pod.getSecurityContext().getRunAsUser()).isPositive();
        assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
        assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
        assertThat(container.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
        assertThat(pod.getVolumes()).singleElement()
                .satisfies(volume -> assertThat(volume.getEmptyDir().getSizeLimit()).isNotNull());
        assertThat(container.getVolumeMounts()).extracting("mountPath").containsExactly("/tmp");
        assertThat(pod.getAutomountServiceAccountToken()).isEqualTo(facts == ServiceFacts.CONTROL_PLANE);
    }

    @ParameterizedTest
    @MethodSource("services")
    void hasRoomForItsHeapAndItsFiles(Rendering rendering, ServiceFacts facts) {
        PodSpec pod = pod(rendering, facts);
        Map<String, Quantity> limits = container(rendering, facts).getResources().getLimits();
        BigDecimal folder = bytes(pod.getVolumes().getFirst().getEmptyDir().getSizeLimit());

        // Classes, compiled code, stacks and buffers lie beside the heap; docs/operations.md "Memory of the export service".
        assertThat(bytes(limits.get("memory"))).isGreaterThanOrEqualTo(mebibytes(facts.testedHeap() + 320L));
        assertThat(folder).isGreaterThanOrEqualTo(filesOf(facts));
        assertThat(bytes(limits.get("ephemeral-storage"))).isGreaterThan(folder);
    }

    @ParameterizedTest
    @MethodSource("services")
    void growsByMetricsThatExist(Rendering rendering, ServiceFacts facts) {
        HorizontalPodAutoscaler scaler = rendering.one(HorizontalPodAutoscaler.class, facts.module());

        assertThat(scaler.getSpec().getMetrics().stream().filter(metric -> metric.getResource() != null)).hasSize(1);
        assertThat(scaler.getSpec().getMetrics().stream().map(MetricSpec::getPods).filter(pods -> pods != null))
                .allSatisfy(pods -> assertThat(Project.text("docs/operations.md"))
                        .contains("| `" + pods.getMetric().getName() + "` |"));
        assertThat(scaler.getSpec().getMinReplicas()).isLessThanOrEqualTo(scaler.getSpec().getMaxReplicas());
    }

    private static BigDecimal filesOf(ServiceFacts facts) {
        return switch (facts) {
            case CONTROL_PLANE -> size("waybill.source.max-transfer-size")
                    .multiply(new BigDecimal(Project.defaultOf("waybill.source.max-concurrent-fetches")));
            case EXPERIMENT -> size("waybill.upload.disk");
            case EXPORT, RUNTIME -> mebibytes(64);
        };
    }

    private static BigDecimal size(String key) {
        return bytes(Quantity.parse(Project.defaultOf(key) + "i"));
    }

    private static BigDecimal mebibytes(long number) {
        return MEBIBYTE.multiply(BigDecimal.valueOf(number));
    }

    private static BigDecimal bytes(Quantity quantity) {
        return Quantity.getAmountInBytes(quantity);
    }

    private static Deployment deployment(Rendering rendering, ServiceFacts facts) {
        return rendering.one(Deployment.class, facts.module());
    }

    private static PodSpec pod(Rendering rendering, ServiceFacts facts) {
        return deployment(rendering, facts).getSpec().getTemplate().getSpec();
    }

    private static Container container(Rendering rendering, ServiceFacts facts) {
        assertThat(pod(rendering, facts).getContainers()).hasSize(1);
        return pod(rendering, facts).getContainers().getFirst();
    }
}
