package dev.waybill.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.OpenApi.Operation;
import dev.waybill.common.testing.RawHttp.Response;
import io.restassured.RestAssured;

/** Calls every operation with other methods and paths, and checks the labels of the HTTP metrics afterwards. */
public abstract class HttpOperationsChecks {

    private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW");
    private static final Pattern URI_LABEL = Pattern.compile("uri=\"([^\"]*)\"");
    private static final Pattern METHOD_LABEL = Pattern.compile("method=\"([^\"]*)\"");
    private static final int UNKNOWN_PATHS = 300;

    /** Returns the module, for example {@code export-service}. */
    protected abstract String module();

    @Test
    void otherMethodReturns405WithAllow() {
        SoftAssertions softly = new SoftAssertions();
        for (String template : templates()) {
            String path = filled(template);
            Set<String> described = methodsAt(path);
            for (String method : METHODS) {
                if (described.contains(method) || method.equals("HEAD") && described.contains("GET")) {
                    continue;
                }
                Response response = send(method, path);
                softly.assertThat(response.status()).as("%s %s", method, path).isEqualTo(405);
                softly.assertThat(response.header("Allow").split(", ")).as("%s %s", method, path)
                        .containsAnyElementsOf(described)
                        .doesNotContain(method);
                assertProblem(softly, method, path, response);
            }
        }
        softly.assertAll();
    }

    @Test
    void unknownPathReturns404() {
        SoftAssertions softly = new SoftAssertions();
        for (String path : List.of("/", "/nothing", "/api", "/v9/x", "/q", "/q/metrics", "/q/openapi", "/q/swagger-ui",
                "/..;/x",
                "/.git/config", "/%2e%2e/%2e%2e/etc/passwd", "*", "example.com:443")) {
            for (String method : List.of("GET", "POST", "DELETE", "BREW")) {
                Response response = send(method, path);
                softly.assertThat(response.status()).as("%s %s", method, path).isEqualTo(404);
                assertProblem(softly, method, path, response);
            }
        }
        softly.assertAll();
    }

    @Test
    @Tag("full")
    void unknownPathsAndMethodsDoNotHideOperationsInMetrics() {
        // Given
        for (int i = 0; i < UNKNOWN_PATHS; i++) {
            String stranger = UUID.randomUUID().toString();
            send(METHODS.get(i % METHODS.size()), "/stranger/" + stranger);
            send("DELETE", templates().get(i % templates().size()).replaceAll("\\{[^}]+}", stranger) + "/stranger");
            send("GET", "stranger:" + stranger);
        }

        // When
        List<Operation> operations = OpenApi.of(module()).operations();
        operations.forEach(operation -> send(operation.method(), filled(operation.path())));

        // Then: a request is counted after its response was sent
        Patience.await().untilAsserted(() -> {
            List<String> counted = Management.get("/q/metrics").lines()
                    .filter(line -> line.startsWith("http_server_requests_seconds_count{")).toList();
            assertThat(counted).noneMatch(line -> line.contains("stranger"));
            Set<String> labels = counted.stream()
                    .map(line -> label(METHOD_LABEL, line) + " " + withoutPattern(label(URI_LABEL, line)))
                    .collect(Collectors.toSet());
            assertThat(labels).containsAll(operations.stream().map(operation -> operation.method() + " " + operation.path())
                    .collect(Collectors.toCollection(TreeSet::new)));
        });
    }

    /** Removes the regular expressions of parameters, which the description does not contain. */
    private static String withoutPattern(String template) {
        return template.replaceAll("\\{([^:}]+):[^}]*}", "{$1}");
    }

    private static String label(Pattern pattern, String line) {
        return pattern.matcher(line).results().map(found -> found.group(1)).findFirst().orElse("");
    }

    private List<String> templates() {
        return OpenApi.of(module()).operations().stream().map(Operation::path).distinct().toList();
    }

    /** Returns the methods of all templates that match the path. */
    private Set<String> methodsAt(String path) {
        return OpenApi.of(module()).operations().stream()
                .filter(operation -> path.matches(operation.path().replaceAll("\\{[^}]+}", "[^/]+")))
                .map(Operation::method).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String filled(String template) {
        return template.replaceAll("\\{[^}]+}", UUID.randomUUID().toString());
    }

    private static Response send(String method, String path) {
        return new RawHttp(URI.create("http://127.0.0.1:" + RestAssured.port)).send(method, path, Map.of(), null);
    }

    private static void assertProblem(SoftAssertions softly, String method, String path, Response response) {
        softly.assertThat(response.header("Content-Type")).as("%s %s", method, path).startsWith("application/problem+json");
        softly.assertThat(response.header("X-Request-Id")).as("%s %s", method, path).isNotBlank();
        if (!method.equals("HEAD")) {
            softly.assertThat(response.body()).as("%s %s", method, path).contains("\"detail\":",
                    response.header("X-Request-Id"));
        }
    }
}
