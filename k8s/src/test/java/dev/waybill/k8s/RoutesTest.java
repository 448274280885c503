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

/** Compares the routes with the paths of the OpenAPI descriptions. */
class RoutesTest {

    /** Links of tracing clients to pages, which have the host of the API. */
    private static final String CLIENT_LINKS = "/o";

    private record Route(String host, String prefix, String service, Object port) {

        boolean matches(String path) {
            return path.equals(prefix) || path.startsWith(prefix + "/");
        }
    }

    static Stream<List<Route>> routes() {
        return Stream.concat(
                RenderedManifests.all().map(rendering -> rendering.all(Ingress.class).flatMap(RoutesTest::of).toList()),
                Stream.of(gateway()));
    }

    @ParameterizedTest
    @MethodSource("routes")
    void everyPathIsRoutedToItsService(List<Route> routes) {
        assertThat(ServiceDefinition.apis()).allSatisfy(service -> assertThat(paths(service))
                .isNotEmpty()
                .allSatisfy(path -> assertThat(serviceOf(routes, host(routes, service), path)).contains(service.module())));
    }

    @ParameterizedTest
    @MethodSource("routes")
    void tracingPathsAreRoutedWithoutPrefix(List<Route> routes) {
        String host = host(routes, ServiceDefinition.EXPERIMENT);

        // Clients call version 2 with its prefix only.
        List<String> unprefixed = paths(ServiceDefinition.EXPERIMENT).stream()
                .filter(path -> path.startsWith("/api/v1/"))
                .toList();
        assertThat(unprefixed).isNotEmpty().allSatisfy(
                path -> assertThat(serviceOf(routes, host, path.substring("/api/v1".length())))
                        .contains(ServiceDefinition.EXPERIMENT.module()));
        assertThat(serviceOf(routes, host, "/v1/platform/datasets/1/examples")).contains(ServiceDefinition.EXPERIMENT.module());
    }

    @ParameterizedTest
    @MethodSource("routes")
    void everyRouteMatchesAPathAndNoneTheHealthChecks(List<Route> routes) {
        List<String> described = ServiceDefinition.apis().map(RoutesTest::paths).flatMap(List::stream)
                .flatMap(path -> Stream.of(path, path.replaceFirst("^/api/v1", ""), path.replaceFirst("^/api", "")))
                .toList();

        assertThat(routes).filteredOn(route -> !route.service().equals(ServiceDefinition.CONSOLE.module()))
                .allSatisfy(route -> assertThat(described).anyMatch(route::matches));
        assertThat(routes).noneMatch(route -> route.matches("/q/health/live"));
    }

    /** The pages call the APIs on their own host. */
    @ParameterizedTest
    @MethodSource("routes")
    void consoleHasPagesAndPathsOfTheApis(List<Route> routes) {
        String host = host(routes, ServiceDefinition.CONSOLE);

        assertThat(List.of("/", "/sign-in", "/w/1/projects", "/o/1/projects/p/2", "/gallery", "/assets/index.js", "/icon.svg",
                "/session", "/v1/whoami", "/v2/deployments", "/api/v1/runs/query", "/api/v2/runs", "/run/1/runs/stream"))
                .allSatisfy(
                        path -> assertThat(serviceOf(routes, host, path)).contains(ServiceDefinition.CONSOLE.module()));
        assertThat(List.of("/q/health/live", "/q/metrics", "/sign-in-codes", "/index"))
                .allSatisfy(path -> assertThat(serviceOf(routes, host, path)).isEmpty());
        assertThat(routes).filteredOn(route -> route.host().equals(host))
                .allMatch(route -> route.service().equals(ServiceDefinition.CONSOLE.module()));
    }

    @ParameterizedTest
    @MethodSource("routes")
    void linksOfClientsReachConsoleFromHostOfTheApi(List<Route> routes) {
        assertThat(serviceOf(routes, host(routes, ServiceDefinition.EXPERIMENT), "/o/1/projects/p/2"))
                .contains(ServiceDefinition.CONSOLE.module());
    }

    @ParameterizedTest
    @MethodSource("routes")
    void exportsAndExperimentsShareHost(List<Route> routes) {
        assertThat(host(routes, ServiceDefinition.EXPORT)).isEqualTo(host(routes, ServiceDefinition.EXPERIMENT))
                .isNotEqualTo(host(routes, ServiceDefinition.CONTROL_PLANE));
        assertThat(routes).allSatisfy(route -> assertThat(route.port()).isIn("http", portOf(route.service())));
    }

    @Test
    void everyHostHasCertificate() {
        assertThat(RenderedManifests.all()).allSatisfy(rendering -> assertThat(rendering.all(Ingress.class))
                .allSatisfy(ingress -> assertThat(ingress.getSpec().getTls().getFirst().getHosts())
                        .containsExactly(ingress.getSpec().getRules().getFirst().getHost())));
    }

    /** The default limits of ingress-nginx are lower. */
    @Test
    void ingressLimitsMatchServices() {
        assertThat(RenderedManifests.all()).allSatisfy(rendering -> {
            assertThat(maxBodySize(rendering, "api")).isEqualTo(ServiceDefinition.EXPERIMENT.maxBodySize())
                    .isNotEqualTo(ServiceDefinition.EXPORT.maxBodySize());
            assertThat(maxBodySize(rendering, "console")).isEqualTo(ServiceDefinition.CONSOLE.maxBodySize())
                    .isEqualTo(ServiceDefinition.EXPERIMENT.maxBodySize());
            assertThat(maxBodySize(rendering, "control-plane")).isEqualTo(ServiceDefinition.CONTROL_PLANE.maxBodySize());
            assertThat(rendering.all(Ingress.class)).allSatisfy(ingress -> assertThat(
                    Integer.parseInt(annotation(ingress, "proxy-read-timeout"))).isGreaterThan(60));
        });
    }

    private static String maxBodySize(RenderedManifests rendering, String ingress) {
        return annotation(rendering.one(Ingress.class, ingress), "proxy-body-size").toUpperCase(Locale.ROOT);
    }

    private static String annotation(Ingress ingress, String name) {
        return ingress.getMetadata().getAnnotations().get("nginx.ingress.kubernetes.io/" + name);
    }

    private static Optional<String> serviceOf(List<Route> routes, String host, String path) {
        return routes.stream()
                .filter(route -> route.host().equals(host) && route.matches(path))
                .max(Comparator.comparingInt(route -> route.prefix().length()))
                .map(Route::service);
    }

    private static String host(List<Route> routes, ServiceDefinition service) {
        TreeSet<String> hosts = new TreeSet<>(routes.stream()
                .filter(route -> route.service().equals(service.module()) && !route.prefix().equals(CLIENT_LINKS))
                .map(Route::host).toList());
        assertThat(hosts).hasSize(1);
        return hosts.first();
    }

    private static int portOf(String module) {
        return ServiceDefinition.deployed().filter(service -> service.module().equals(module)).findAny().orElseThrow().port();
    }

    private static List<String> paths(ServiceDefinition service) {
        List<String> paths = new ArrayList<>();
        StrictYaml.trees(ProjectFiles.text("docs/openapi/" + service.module() + ".yaml")).getFirst().path("paths").fieldNames()
                .forEachRemaining(paths::add);
        return paths;
    }

    private static Stream<Route> of(Ingress ingress) {
        return ingress.getSpec().getRules().stream()
                .flatMap(rule -> rule.getHttp().getPaths().stream().map(path -> new Route(rule.getHost(), path.getPath(),
                        path.getBackend().getService().getName(), path.getBackend().getService().getPort().getName())));
    }

    private static List<Route> gateway() {
        List<HasMetadata> routes = StrictYaml.manifests(ProjectFiles.text("k8s/components/gateway/routes.yaml"));
        return routes.stream().map(HTTPRoute.class::cast)
                .flatMap(route -> route.getSpec().getRules().stream()
                        .flatMap(rule -> rule.getMatches().stream()
                                .map(match -> new Route(route.getSpec().getHostnames().getFirst(), match.getPath().getValue(),
                                        rule.getBackendRefs().getFirst().getName(),
                                        rule.getBackendRefs().getFirst().getPort()))))
                .toList();
    }
}
