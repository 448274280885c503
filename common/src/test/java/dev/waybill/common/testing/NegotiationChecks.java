package dev.waybill.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.assertj.core.api.SoftAssertions;

import dev.waybill.common.testing.OpenApi.Operation;
import dev.waybill.common.testing.OpenApi.Parameter;
import dev.waybill.common.testing.RawHttp.Answer;

/** That every operation reads {@code Accept}, {@code Content-Type}, {@code Content-Encoding} and ids in queries alike. */
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
     * @param description the service's own, as JSON
     * @param values of parameters by name; ids that are not given are made up
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
     * Bodies fit wherever the request is to be rejected: what is done before that leaves rows behind.
     *
     * @param account whose key it is
     * @param schemas whose tables must not change
     */
    public void assertAcceptIsReadAlike(Account account, String... schemas) {
        Map<String, Long> before = Refusals.rows(account.workspaceId(), schemas);
        assertAcceptIsReadAlike();
        assertThat(Refusals.rows(account.workspaceId(), schemas)).isEqualTo(before);
    }

    /** As {@link #assertAcceptIsReadAlike(Account, String...)}, for a service without a database. */
    public void assertAcceptIsReadAlike() {
        SoftAssertions softly = new SoftAssertions();
        for (Operation operation : requests.operations()) {
            if (Set.of("application/json").containsAll(operation.produced())) {
                ACCEPTED.forEach(accept -> assertAnsweredInJson(softly, operation, accept));
                NOT_ACCEPTED.forEach(accept -> assertProblem(softly, operation,
                        requests.good(operation, with(operation, "Accept", accept)), "Accept: " + accept, 406));
            }
            assertProblem(softly, operation, requests.good(operation, with(operation, "Accept", "image/png")),
                    "Accept: image/png", 406);
            MALFORMED.forEach(accept -> assertProblem(softly, operation,
                    requests.good(operation, with(operation, "Accept", accept)), "Accept: " + accept, 400));
        }
        softly.assertAll();
    }

    private void assertAnsweredInJson(SoftAssertions softly, Operation operation, String accept) {
        Answer answer = requests.broken(operation, with(operation, "Accept", accept));
        softly.assertThat(answer.status()).as("%s with Accept: %s: %s", operation, accept, answer.body())
                .isNotEqualTo(406).isLessThan(500);
        softly.assertThat(answer.body()).as("%s with Accept: %s", operation, accept).doesNotContain("The header Accept");
        if (!answer.body().isEmpty()) {
            softly.assertThat(answer.header("Content-Type")).as("%s with Accept: %s", operation, accept)
                    .matches("application/(problem\\+)?json(;charset=UTF-8)?");
        }
        softly.assertThat(answer.header("X-Content-Type-Options")).as("%s", operation).isEqualTo("nosniff");
    }

    /** Every body is one that nothing can read: whether its type is, is said before. */
    public void assertContentTypeIsReadAlike() {
        SoftAssertions softly = new SoftAssertions();
        for (Operation operation : requests.operations().stream().filter(one -> !one.bodies().isEmpty()).toList()) {
            if (operation.takesJson()) {
                for (String type : CONTENT_TYPES) {
                    Answer answer = requests.broken(operation, with(operation, "Content-Type", type));
                    softly.assertThat(answer.status()).as("%s as %s: %s", operation, type, answer.body()).isBetween(400, 499)
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

    /** A malformed UUID in a query is a 422 that names the parameter. */
    public void assertMalformedIdsInQueriesAreNamed() {
        SoftAssertions softly = new SoftAssertions();
        for (Operation operation : requests.operations()) {
            operation.parameters().stream().filter(NegotiationChecks::isIdInQuery).forEach(parameter -> {
                for (String value : List.of("abc", "x".repeat(300), "00000000-0000-0000-0000-00000000000g")) {
                    Answer answer = requests.send(operation, Map.of(parameter.name(), value), key(operation), null);
                    softly.assertThat(answer.status()).as("%s?%s=%s: %s", operation, parameter.name(), value, answer.body())
                            .isEqualTo(422);
                    softly.assertThat(OperationRequests.problem(answer).at("/errors/0/loc/0").asText())
                            .as("%s?%s=%s", operation, parameter.name(), value).isEqualTo(parameter.name());
                }
            });
        }
        softly.assertAll();
    }

    private static boolean isIdInQuery(Parameter parameter) {
        return parameter.in().equals("query") && (parameter.schema().path("format").asText().equals("uuid")
                || parameter.schema().toString().contains("\"uuid\"")
                || parameter.schema().at("/items/$ref").asText().endsWith("UUID"));
    }

    private static void assertProblem(SoftAssertions softly, Operation operation, Answer answer, String header, int status) {
        softly.assertThat(answer.status()).as("%s with %s: %s", operation, header, answer.body()).isEqualTo(status);
        softly.assertThat(answer.header("Content-Type")).as("%s with %s", operation, header)
                .startsWith("application/problem+json");
        softly.assertThat(OperationRequests.problem(answer).path("detail").asText()).as("%s with %s", operation, header)
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
