package dev.waybill.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;

/** Both services of interface.md's base address behind one host, by the paths that their descriptions have. */
class RoutesTest {

    private record Route(String host, String prefix, String service, Object port) {

        boolean leads(String path) {
            return path.equals(prefix) || path.startsWith(prefix + "/");
        }
    }

    static Stream<List<Route>> routes() {
        return Stream.concat(
                Rendering.all().map(rendering -> rendering.all(Ingress.class).flatMap(RoutesTest::of).toList()),
                Stream.of(gateway()));
    }

    @ParameterizedTest
    @MethodSource("routes")
    void everyDescribedPathLeadsToItsService(List<Route> routes) {
        assertThat(ServiceFacts.deployed()).allSatisfy(facts -> assertThat(paths(facts))
                .isNotEmpty()
                .allSatisfy(path -> assertThat(serviceOf(routes, host(routes, facts), path)).contains(facts.module())));
    }

    @ParameterizedTest
    @MethodSource("routes")
    void tracingClientsMayLeaveThePrefixOut(List<Route> routes) {
        String host = host(routes, ServiceFacts.EXPERIMENT);

        // Version 2 is called by its whole address.
        List<String> unprefixed = paths(ServiceFacts.EXPERIMENT).stream()
                .filter(path -> path.startsWith("/api/v1/"))
                .toList();
        assertThat(unprefixed).isNotEmpty().allSatisfy(
                path -> assertThat(serviceOf(routes, host, path.substring("/api/v1".length())))
                        .contains(ServiceFacts.EXPERIMENT.module()));
        assertThat(serviceOf(routes, host, "/v1/platform/datasets/1/examples")).contains(ServiceFacts.EXPERIMENT.module());
    }

    @ParameterizedTest
    @MethodSource("routes")
    void noRouteLeadsNowhereOrInside(List<Route> routes) {
        List<String> described = ServiceFacts.deployed().map(RoutesTest::paths).flatMap(List::stream)
                .flatMap(path -> Stream.of(path, path.replaceFirst("^/api/v1", ""), path.replaceFirst("^/api", "")))
                .toList();

        assertThat(routes).allSatisfy(route -> assertThat(described).anyMatch(route::leads));
        assertThat(routes).noneMatch(route -> route.leads("/q/health/live"));
    }

    @ParameterizedTest
    @MethodSource("routes")
    void exportsAndExperimentsShareAHostAndTheControlPlaneHasItsOwn(List<Route> routes) {
        assertThat(host(routes, ServiceFacts.EXPORT)).isEqualTo(host(routes, ServiceFacts.EXPERIMENT))
                .isNotEqualTo(host(routes, ServiceFacts.CONTROL_PLANE));
        assertThat(routes).allSatisfy(route -> assertThat(route.port()).isIn("http", portOf(route.service())));
    }

    @Test
    void everyOverlayHasHostsOfItsOwnWithCertificates() {
        assertThat(Rendering.all()).allSatisfy(rendering -> assertThat(rendering.all(Ingress.class))
                .allSatisfy(ingress -> assertThat(ingress.getSpec().getTls().getFirst().getHosts())
                        .containsExactly(ingress.getSpec().getRules().getFirst().getHost())));
    }

    /** What ingress-nginx lets through of itself is less. */
    @Test
    void whatStandsInFrontLetsThroughWhatTheServicesTake() {
        assertThat(Rendering.all()).allSatisfy(rendering -> {
            assertThat(mostBytes(rendering, "api")).isEqualTo(ServiceFacts.EXPERIMENT.maxBodySize())
                    .isNotEqualTo(ServiceFacts.EXPORT.maxBodySize());
            assertThat(mostBytes(rendering, "control-plane")).isEqualTo(ServiceFacts.CONTROL_PLANE.maxBodySize());
            assertThat(rendering.all(Ingress.class)).allSatisfy(ingress -> assertThat(
                    Integer.parseInt(annotation(ingress, "proxy-read-timeout"))).isGreaterThan(60));
        });
    }

    private static String mostBytes(Rendering rendering, String ingress) {
        return annotation(rendering.one(Ingress.class, ingress), "proxy-body-size").toUpperCase(Locale.ROOT);
    }

    private static String annotation(Ingress ingress, String name) {
        return ingress.getMetadata().getAnnotations().get("nginx.ingress.kubernetes.io/" + name);
    }

    private static Optional<String> serviceOf(List<Route> routes, String host, String path) {
        return routes.stream()
                .filter(route -> route.host().equals(host) && route.leads(path))
                .max(Comparator.comparingInt(route -> route.prefix().length()))
                .map(Route::service);
    }

    private static String host(List<Route> routes, ServiceFacts facts) {
        TreeSet<String> hosts = new TreeSet<>(routes.stream().filter(route -> route.service().equals(facts.module()))
                .map(Route::host).toList());
        assertThat(hosts).hasSize(1);
        return hosts.first();
    }

    private static int portOf(String service) {
        return ServiceFacts.deployed().filter(facts -> facts.module().equals(service)).findAny().orElseThrow().port();
    }

    private static List<String> paths(ServiceFacts facts) {
        List<String> paths = new ArrayList<>();
        StrictYaml.trees(Project.text("docs/openapi/" + facts.module() + ".yaml")).getFirst().path("paths").fieldNames()
                .forEachRemaining(paths::add);
        return paths;
    }

    private static Stream<Route> of(Ingress ingress) {
        return ingress.getSpec().getRules().stream()
                .flatMap(rule -> rule.getHttp().getPaths().stream().map(path -> new Route(rule.getHost(), path.getPath(),
                        path.getBackend().getService().getName(), path.getBackend().getService().getPort().getName())));
    }

    private static List<Route> gateway() {
        List<HasMetadata> routes = StrictYaml.manifests(Project.text("k8s/components/gateway/routes.yaml"));
        return routes.stream().map(HTTPRoute.class::cast)
                .flatMap(route -> route.getSpec().getRules().stream()
                        .flatMap(rule -> rule.getMatches().stream()
                                .map(match -> new Route(route.getSpec().getHostnames().getFirst(), match.getPath().getValue(),
                                        rule.getBackendRefs().getFirst().getName(),
                                        rule.getBackendRefs().getFirst().getPort()))))
                .toList();
    }
}
