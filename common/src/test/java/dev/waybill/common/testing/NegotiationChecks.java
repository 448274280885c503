package dev.waybill.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.assertj.core.api.SoftAssertions;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.testing.OpenApi.Operation;
import dev.waybill.common.testing.OpenApi.Parameter;
import dev.waybill.common.testing.RawHttp.Response;

/** Asserts that all operations treat {@code Accept}, the content headers and parameters of queries alike. */
public final class NegotiationChecks {

    private static final List<String> ACCEPTED = List.of("(absent)", "*/*", "application/*", "application/json",
            "application/json;charset=utf-8", "APPLICATION/JSON", "text/html, application/json;q=0.1",
            "text/html, */*;q=0.01", "application/json, */*;q=0", "application/json;q=0.001", ", application/json ,",
            "text/html, image/gif, *; q=.2, */*; q=.2", "text/*, application/*;q=0.5", "application/problem+json, */*",
            "application/json;a=\"b, c\\\"; d\"");
    private static final List<String> NOT_ACCEPTED = List.of("text/html", "text/plain", "image/png", "text/*",
            "application/xml", "application/json;q=0", "*/*, application/json;q=0", "application/*;q=0, text/html",
            "application/json;q=0.0", "application/ld+json");
    private static final List<String> MALFORMED = List.of("", "garbage", "application/", "/json", "application/json;q=2",
            "application/json;q=x", "application/json;q=-1", "application/json text/html", "*/json", "application/json;=1",
            "\"application/json\"", "application/json;a=\"b", "application/json;a", ",", "text/html;q");
    private static final List<String> CONTENT_TYPES = List.of("(absent)", "application/json", "application/json; charset=utf-8",
            "Application/JSON;", "application/json;charset=\"utf-8\"");
    private static final List<String> OTHER_CONTENT_TYPES = List.of("text/plain", "application/json, application/json",
            "application/json,text/plain", "garbage", "/", "application/", "*/*", "application/*", "application/jsonx",
            "application/x-www-form-urlencoded", "text/json", "application/json charset=utf-8", "application/json;a=\"b",
            "\"application/json\"", "application/json;charset", "image/png", "application/xml", "application/octet-stream",
            "application/ld+json", "multipart/mixed", "text/html");
    private static final List<String> ENCODINGS = List.of("br", "gzip, br", "deflate", "nonsense");

    private final OperationRequests requests;
    private final Map<String, String> keys = new LinkedHashMap<>();

    /**
     * @param description the service's OpenAPI description in JSON
     * @param values values of parameters by name; other ids are random
     */
    public NegotiationChecks(URI server, String description, String key, Map<String, String> values) {
        this.requests = new OperationRequests(server, description, values);
        keys.put("", key);
    }

    /** Calls the operations below this path with another key. */
    public NegotiationChecks withKey(String path, String key) {
        keys.put(path, key);
        return this;
    }

    /**
     * Asserts the treatment of {@code Accept}. Rejected requests have valid bodies, so that processing them too early would
     * change rows.
     *
     * @param account owner of the key
     * @param schemas schemas whose tables must not change
     */
    public void assertAcceptIsReadAlike(Account account, String... schemas) {
        Map<String, Long> before = InvalidRequestChecks.rows(account.workspaceId(), schemas);
        assertAcceptIsReadAlike();
        assertThat(InvalidRequestChecks.rows(account.workspaceId(), schemas)).isEqualTo(before);
    }

    /** Like {@link #assertAcceptIsReadAlike(Account, String...)}, for a service without a database. */
    public void assertAcceptIsReadAlike() {
        SoftAssertions softly = new SoftAssertions();
        for (Operation operation : requests.operations()) {
            if (Set.of("application/json").containsAll(operation.produced())) {
                ACCEPTED.forEach(accept -> assertJsonResponse(softly, operation, accept));
                NOT_ACCEPTED.forEach(accept -> assertProblem(softly, operation,
                        requests.valid(operation, with(operation, "Accept", accept)), "Accept: " + accept, 406));
            }
            assertProblem(softly, operation, requests.valid(operation, with(operation, "Accept", "image/png")),
                    "Accept: image/png", 406);
            MALFORMED.forEach(accept -> assertProblem(softly, operation,
                    requests.valid(operation, with(operation, "Accept", accept)), "Accept: " + accept, 400));
        }
        softly.assertAll();
    }

    private void assertJsonResponse(SoftAssertions softly, Operation operation, String accept) {
        Response response = requests.broken(operation, with(operation, "Accept", accept));
        softly.assertThat(response.status()).as("%s with Accept: %s: %s", operation, accept, response.body())
                .isNotEqualTo(406).isLessThan(500);
        softly.assertThat(response.body()).as("%s with Accept: %s", operation, accept).doesNotContain("The header Accept");
        if (!response.body().isEmpty()) {
            softly.assertThat(response.header("Content-Type")).as("%s with Accept: %s", operation, accept)
                    .matches("application/(problem\\+)?json(;charset=UTF-8)?");
        }
        softly.assertThat(response.header("X-Content-Type-Options")).as("%s", operation).isEqualTo("nosniff");
    }

    /** Asserts the treatment of the content headers with bodies that cannot be parsed, so the header is checked first. */
    public void assertContentTypeIsReadAlike() {
        SoftAssertions softly = new SoftAssertions();
        for (Operation operation : requests.operations().stream().filter(one -> !one.bodies().isEmpty()).toList()) {
            if (operation.takesJson()) {
                for (String type : CONTENT_TYPES) {
                    Response response = requests.broken(operation, with(operation, "Content-Type", type));
                    softly.assertThat(response.status()).as("%s as %s: %s", operation, type, response.body())
                            .isBetween(400, 499)
                            .isNotEqualTo(415);
                }
            }
            OTHER_CONTENT_TYPES.forEach(type -> assertProblem(softly, operation,
                    requests.broken(operation, with(operation, "Content-Type", type)), "Content-Type: " + type, 415));
            ENCODINGS.forEach(coding -> assertProblem(softly, operation,
                    requests.broken(operation, with(operation, "Content-Encoding", coding)), "Content-Encoding: " + coding,
                    415));
        }
        softly.assertAll();
    }

    /** Asserts that a malformed UUID in a query returns a 422 that names the parameter. */
    public void assertMalformedIdsInQueriesAreNamed() {
        SoftAssertions softly = new SoftAssertions();
        for (Operation operation : requests.operations()) {
            operation.parameters().stream().filter(NegotiationChecks::isIdInQuery).forEach(parameter -> {
                for (String value : List.of("abc", "x".repeat(300), "00000000-0000-0000-0000-00000000000g")) {
                    Response response = requests.send(operation, Map.of(parameter.name(), value), key(operation), null);
                    softly.assertThat(response.status()).as("%s?%s=%s: %s", operation, parameter.name(), value, response.body())
                            .isEqualTo(422);
                    softly.assertThat(OperationRequests.problem(response).at("/errors/0/loc/0").asText())
                            .as("%s?%s=%s", operation, parameter.name(), value).isEqualTo(parameter.name());
                }
            });
        }
        softly.assertAll();
    }

    /** Asserts that lists reject unknown parameters: an ignored filter would return items that were not requested. */
    public void assertUnknownParametersOfListsAreNamed() {
        List<Operation> lists = requests.operations().stream().filter(NegotiationChecks::isList).toList();
        assertThat(lists).isNotEmpty();
        SoftAssertions softly = new SoftAssertions();
        for (Operation operation : lists) {
            Response response = requests.withQuery(operation, "colour=blue&size=1", key(operation));
            softly.assertThat(response.status()).as("%s: %s", operation, response.body()).isEqualTo(422);
            JsonNode errors = OperationRequests.problem(response).path("errors");
            softly.assertThat(List.of(errors.at("/0/loc/0").asText(), errors.at("/1/loc/0").asText())).as("%s", operation)
                    .containsExactly("colour", "size");
            softly.assertThat(errors.at("/0/message").asText()).as("%s", operation).contains("is not supported; omit it");
        }
        softly.assertAll();
    }

    private static boolean isList(Operation operation) {
        return operation.method().equals("GET") && operation.parameters().stream()
                .anyMatch(parameter -> Set.of("limit", "page_size").contains(parameter.name()));
    }

    private static boolean isIdInQuery(Parameter parameter) {
        return parameter.in().equals("query") && (parameter.schema().path("format").asText().equals("uuid")
                || parameter.schema().toString().contains("\"uuid\"")
                || parameter.schema().at("/items/$ref").asText().endsWith("UUID"));
    }

    private static void assertProblem(SoftAssertions softly, Operation operation, Response response, String header,
            int status) {
        softly.assertThat(response.status()).as("%s with %s: %s", operation, header, response.body()).isEqualTo(status);
        softly.assertThat(response.header("Content-Type")).as("%s with %s", operation, header)
                .startsWith("application/problem+json");
        softly.assertThat(OperationRequests.problem(response).path("detail").asText()).as("%s with %s", operation, header)
                .isNotBlank();
    }

    private Map<String, String> with(Operation operation, String header, String value) {
        Map<String, String> headers = new LinkedHashMap<>(key(operation));
        headers.put(header, value);
        return headers;
    }

    private Map<String, String> key(Operation operation) {
        return keys.entrySet().stream()
                .filter(key -> operation.path().startsWith(key.getKey()))
                .reduce((first, second) -> second)
                .map(key -> Map.of("X-Api-Key", key.getValue()))
                .orElseThrow();
    }
}
