package dev.waybill.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;

/** Rights and networks: what is not named is not allowed. */
class GuardsTest {

    private static final Pattern RIGHT = Pattern.compile("\\| (`([a-z.0-9]+)`|\\(core\\)) \\| `([a-z/]+)` \\| ([a-z, ]+) \\|");

    static Stream<Rendering> renderings() {
        return Rendering.all();
    }

    @ParameterizedTest
    @MethodSource("renderings")
    void rightsAreThoseThatTheEngineNeedsVerbByVerb(Rendering rendering) {
        Role role = rendering.one(Role.class, "control-plane");

        assertThat(rendering.all(Role.class)).hasSize(1);
        assertThat(given(role)).isEqualTo(documented()).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("renderings")
    void onlyTheControlPlaneHasRights(Rendering rendering) {
        RoleBinding binding = rendering.one(RoleBinding.class, "control-plane");

        assertThat(rendering.all(RoleBinding.class)).hasSize(1);
        assertThat(binding.getSubjects()).singleElement().satisfies(subject -> {
            assertThat(subject.getName()).isEqualTo("control-plane");
            assertThat(subject.getNamespace()).isEqualTo("waybill");
        });
    }

    @ParameterizedTest
    @MethodSource("renderings")
    void bothNamespacesAreRestricted(Rendering rendering) {
        assertThat(rendering.all(Namespace.class)).extracting(namespace -> namespace.getMetadata().getName())
                .containsExactlyInAnyOrder("waybill", "waybill-applications");
        assertThat(rendering.all(Namespace.class)).allSatisfy(namespace -> assertThat(namespace.getMetadata().getLabels())
                .containsEntry("pod-security.kubernetes.io/enforce", "restricted"));
    }

    @ParameterizedTest
    @MethodSource("renderings")
    void bothNamespacesDenyByDefault(Rendering rendering) {
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
    void portsOfPoliciesAreThoseOfServices(Rendering rendering) {
        Set<Integer> known = Stream.concat(Arrays.stream(ServiceFacts.values()).map(ServiceFacts::port),
                // Names, PostgreSQL, https, http, ssh, an API server.
                Stream.of(53, 5432, 443, 80, 22, 6443)).collect(Collectors.toSet());

        assertThat(rendering.all(NetworkPolicy.class).flatMap(GuardsTest::ports).map(NetworkPolicyPort::getPort)
                .filter(port -> port.getIntVal() != null)
                .map(port -> port.getIntVal()))
                .isNotEmpty().allMatch(known::contains)
                .contains(ServiceFacts.CONTROL_PLANE.port(), ServiceFacts.EXPERIMENT.port(), ServiceFacts.RUNTIME.port());
    }

    @ParameterizedTest
    @MethodSource("renderings")
    void theWorldHasNoPrivateAddresses(Rendering rendering) {
        assertThat(rendering.all(NetworkPolicy.class)
                .flatMap(policy -> policy.getSpec().getEgress().stream())
                .flatMap(rule -> rule.getTo().stream())
                .filter(peer -> peer.getIpBlock() != null && peer.getIpBlock().getCidr().equals("0.0.0.0/0")))
                .isNotEmpty()
                .allSatisfy(peer -> assertThat(peer.getIpBlock().getExcept())
                        .contains("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10"));
    }

    private static Stream<NetworkPolicyPort> ports(NetworkPolicy policy) {
        return Stream.concat(policy.getSpec().getIngress().stream().flatMap(rule -> rule.getPorts().stream()),
                policy.getSpec().getEgress().stream().flatMap(rule -> rule.getPorts().stream()));
    }

    private static Map<String, Set<String>> given(Role role) {
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
        String text = Project.text("docs/operations.md");
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
