package dev.waybill.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.waybill.common.net.PublicAddresses;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.networking.v1.IPBlock;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;

/** Rights in the cluster and network policies. */
class AccessControlTest {

    private static final Pattern RIGHT = Pattern.compile("\\| (`([a-z.0-9]+)`|\\(core\\)) \\| `([a-z/]+)` \\| ([a-z, ]+) \\|");

    static Stream<RenderedManifests> renderings() {
        return RenderedManifests.all();
    }

    @ParameterizedTest
    @MethodSource("renderings")
    void rightsMatchDocumentation(RenderedManifests rendering) {
        Role role = rendering.one(Role.class, "control-plane");

        assertThat(rendering.all(Role.class)).hasSize(1);
        assertThat(granted(role)).isEqualTo(documented()).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("renderings")
    void onlyControlPlaneHasRights(RenderedManifests rendering) {
        RoleBinding binding = rendering.one(RoleBinding.class, "control-plane");

        assertThat(rendering.all(RoleBinding.class)).hasSize(1);
        assertThat(binding.getSubjects()).singleElement().satisfies(subject -> {
            assertThat(subject.getName()).isEqualTo("control-plane");
            assertThat(subject.getNamespace()).isEqualTo("waybill");
        });
    }

    @ParameterizedTest
    @MethodSource("renderings")
    void bothNamespacesAreRestricted(RenderedManifests rendering) {
        assertThat(rendering.all(Namespace.class)).extracting(namespace -> namespace.getMetadata().getName())
                .containsExactlyInAnyOrder("waybill", "waybill-applications");
        assertThat(rendering.all(Namespace.class)).allSatisfy(namespace -> assertThat(namespace.getMetadata().getLabels())
                .containsEntry("pod-security.kubernetes.io/enforce", "restricted"));
    }

    @ParameterizedTest
    @MethodSource("renderings")
    void bothNamespacesDenyByDefault(RenderedManifests rendering) {
        List<NetworkPolicy> defaults = rendering.all(NetworkPolicy.class)
                .filter(policy -> policy.getMetadata().getName().equals("default-deny")).toList();

        assertThat(defaults).hasSize(2).allSatisfy(policy -> {
            assertThat(policy.getSpec().getPodSelector().getMatchLabels()).isNullOrEmpty();
            assertThat(policy.getSpec().getPolicyTypes()).containsExactly("Ingress", "Egress");
            assertThat(policy.getSpec().getIngress()).isNullOrEmpty();
            assertThat(policy.getSpec().getEgress()).isNullOrEmpty();
        });
    }

    @ParameterizedTest
    @MethodSource("renderings")
    void policiesUseKnownPortsOnly(RenderedManifests rendering) {
        Set<Integer> known = Stream.concat(Arrays.stream(ServiceDefinition.values())
                .flatMap(service -> Stream.of(service.port(), service.managementPort())),
                // DNS, PostgreSQL, https, http, ssh, mail servers, API server.
                Stream.of(53, 5432, 443, 80, 22, 465, 587, 6443)).collect(Collectors.toSet());

        assertThat(rendering.all(NetworkPolicy.class).flatMap(AccessControlTest::ports).map(NetworkPolicyPort::getPort)
                .filter(port -> port.getIntVal() != null)
                .map(port -> port.getIntVal()))
                .isNotEmpty().allMatch(known::contains)
                .contains(ServiceDefinition.CONTROL_PLANE.port(), ServiceDefinition.EXPERIMENT.port(),
                        ServiceDefinition.RUNTIME.port());
    }

    @ParameterizedTest
    @MethodSource("renderings")
    void onlyMetricsReadersCanReachManagementPort(RenderedManifests rendering) {
        Set<Integer> management = Arrays.stream(ServiceDefinition.values()).map(ServiceDefinition::managementPort)
                .collect(Collectors.toSet());
        List<NetworkPolicy> admitting = rendering.all(NetworkPolicy.class)
                .filter(policy -> policy.getSpec().getIngress().stream().flatMap(rule -> rule.getPorts().stream())
                        .map(NetworkPolicyPort::getPort)
                        .anyMatch(port -> "management".equals(port.getStrVal()) || management.contains(port.getIntVal())))
                .toList();

        assertThat(admitting).hasSize(2).allSatisfy(policy -> assertThat(policy.getSpec().getIngress()).singleElement()
                .satisfies(rule -> assertThat(rule.getFrom()).singleElement()
                        .satisfies(from -> assertThat(from.getNamespaceSelector().getMatchLabels())
                                .containsOnly(Map.entry("waybill.dev/reads-metrics", "true")))));
    }

    @ParameterizedTest
    @MethodSource("renderings")
    void consoleReachesServicesAndIngressOnly(RenderedManifests rendering) {
        NetworkPolicy console = rendering.one(NetworkPolicy.class, "console");
        Map<String, Integer> ports = new TreeMap<>();
        console.getSpec().getEgress().stream().filter(rule -> rule.getTo().getFirst().getPodSelector() != null)
                .forEach(rule -> ports.put(
                        rule.getTo().getFirst().getPodSelector().getMatchLabels().get("app.kubernetes.io/name"),
                        rule.getPorts().getFirst().getPort().getIntVal()));

        assertThat(ports).isEqualTo(
                ServiceDefinition.apis().collect(Collectors.toMap(ServiceDefinition::module, ServiceDefinition::port)));
        assertThat(console.getSpec().getEgress()).filteredOn(rule -> rule.getTo().getFirst().getPodSelector() == null)
                .singleElement()
                .satisfies(rule -> assertThat(rule.getTo()).singleElement()
                        .satisfies(to -> assertThat(to.getNamespaceSelector().getMatchLabels())
                                .containsOnly(Map.entry("waybill.dev/reaches-services", "true"))));
        assertThat(rendering.one(NetworkPolicy.class, "requests-of-console").getSpec().getPodSelector().getMatchExpressions()
                .getFirst().getValues())
                .containsExactlyInAnyOrderElementsOf(ServiceDefinition.apis().map(ServiceDefinition::module).toList());
        assertThat(rendering.one(NetworkPolicy.class, "database").getSpec().getPodSelector().getMatchExpressions().getFirst()
                .getValues()).doesNotContain("console");
    }

    @ParameterizedTest
    @MethodSource("renderings")
    void egressExcludesRangesOfAddressGuard(RenderedManifests rendering) {
        assertThat(blocks(rendering, "0.0.0.0/0")).isNotEmpty()
                .allSatisfy(block -> assertThat(block.getExcept())
                        .containsExactlyInAnyOrderElementsOf(PublicAddresses.RESERVED_V4));
        assertThat(blocks(rendering, PublicAddresses.GLOBAL_V6)).isNotEmpty()
                .allSatisfy(block -> assertThat(block.getExcept())
                        .containsExactlyInAnyOrderElementsOf(PublicAddresses.RESERVED_V6));
    }

    @ParameterizedTest
    @MethodSource("renderings")
    void egressNamesItsDestinations(RenderedManifests rendering) {
        assertThat(rendering.all(NetworkPolicy.class)
                .filter(policy -> !policy.getMetadata().getName().equals("default-deny"))
                .flatMap(policy -> policy.getSpec().getEgress().stream()))
                .isNotEmpty()
                .allSatisfy(rule -> assertThat(rule.getTo()).isNotEmpty());
        assertThat(rendering.all(NetworkPolicy.class)
                .filter(policy -> !policy.getMetadata().getName().equals("api-server"))
                .flatMap(AccessControlTest::blocks)
                .map(IPBlock::getCidr))
                .containsOnly("0.0.0.0/0", PublicAddresses.GLOBAL_V6);
    }

    @Test
    void everyOverlaySetsApiServerAddress() {
        List<String> direct = Stream.of("dev", "production")
                .map(overlay -> ProjectFiles.text("k8s/overlays/" + overlay + "/api-server.yaml"))
                .toList();

        assertThat(direct).allSatisfy(text -> assertThat(StrictYaml.manifests(text)).singleElement()
                .satisfies(patch -> {
                    assertThat(patch.getMetadata().getName()).isEqualTo("api-server");
                    assertThat(blocks((NetworkPolicy) patch)).isNotEmpty();
                }));
        assertThat(List.of("dev", "production")).allSatisfy(
                overlay -> assertThat(ProjectFiles.text("k8s/overlays/" + overlay + "/kustomization.yaml"))
                        .contains("- path: api-server.yaml"));
        assertThat(ProjectFiles.text("k8s/overlays/eu/kustomization.yaml")).contains("- ../production");
    }

    private static List<IPBlock> blocks(RenderedManifests rendering, String cidr) {
        return rendering.all(NetworkPolicy.class)
                .flatMap(AccessControlTest::blocks)
                .filter(block -> block.getCidr().equals(cidr))
                .toList();
    }

    private static Stream<IPBlock> blocks(NetworkPolicy policy) {
        return policy.getSpec().getEgress().stream()
                .flatMap(rule -> rule.getTo().stream())
                .map(NetworkPolicyPeer::getIpBlock)
                .filter(Objects::nonNull);
    }

    private static Stream<NetworkPolicyPort> ports(NetworkPolicy policy) {
        return Stream.concat(policy.getSpec().getIngress().stream().flatMap(rule -> rule.getPorts().stream()),
                policy.getSpec().getEgress().stream().flatMap(rule -> rule.getPorts().stream()));
    }

    private static Map<String, Set<String>> granted(Role role) {
        Map<String, Set<String>> rights = new TreeMap<>();
        for (PolicyRule rule : role.getRules()) {
            for (String group : rule.getApiGroups()) {
                for (String resource : rule.getResources()) {
                    rights.computeIfAbsent(group + "/" + resource, _ -> new TreeSet<>()).addAll(rule.getVerbs());
                }
            }
        }
        return rights;
    }

    private static Map<String, Set<String>> documented() {
        String text = ProjectFiles.text("docs/operations/kubernetes-engine.md");
        String section = text.substring(text.indexOf("### Rights in the cluster"));
        Map<String, Set<String>> rights = new TreeMap<>();
        Matcher rows = RIGHT.matcher(section.substring(0, section.indexOf("\nNo right on")));
        while (rows.find()) {
            rights.put((rows.group(2) == null ? "" : rows.group(2)) + "/" + rows.group(3),
                    new TreeSet<>(List.of(rows.group(4).strip().split(", "))));
        }
        return rights;
    }
}
