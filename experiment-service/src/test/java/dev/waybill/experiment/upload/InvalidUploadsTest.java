package dev.waybill.experiment.upload;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.RawHttpResponse;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestUpload;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Threat T15 and fault F28: invalid uploads are rejected as a whole, and all violations are reported. */
@QuarkusTest
class InvalidUploadsTest {

    private static final Account ACCOUNT = Accounts.account().create();

    @TestFactory
    Stream<DynamicTest> reportsEveryViolationOfGeneratedUploads() {
        return uploads(0, 40);
    }

    @TestFactory
    @Tag("full")
    Stream<DynamicTest> reportsEveryViolationOfOtherUploads() {
        return uploads(40, 200);
    }

    private Stream<DynamicTest> uploads(int from, int to) {
        return IntStream.range(from, to).mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed, () -> {
            // Given
            Random random = new Random(seed);
            TestUpload upload = TestUpload.ofRows(5);
            List<Violation> violations = new ArrayList<>(Violation.all());
            java.util.Collections.shuffle(violations, random);
            List<Violation> selected = violations.stream().limit(1 + random.nextInt(6)).toList();
            TreeSet<String> expected = new TreeSet<>();
            selected.forEach(violation -> expected.add(violation.apply(upload)));

            // When
            Response response = upload(upload.json());

            // Then
            response.then().statusCode(422);
            assertThat(new TreeSet<>(response.<List<List<Object>>> path("errors.loc").stream()
                    .map(steps -> String.join(".", steps.stream().map(String::valueOf).toList())).toList()))
                    .isEqualTo(expected);
            assertThat(stored()).isZero();
        }));
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "{", "[", "{} {}", "{\"results\": [}", "{\"results\": [{\"inputs\": {\"a\": NaN}}]}",
            "{\"results\": [{\"inputs\": {\"a\": 1, \"a\": 2}}]}", "{\"experiment_name\": \"a\", \"experiment_name\": \"b\"}",
            "{\"results\": [{\"inputs\": {\"a\": \"\u0001\"}}]}", "{'results': []}", "{\"results\": [{}],}" })
    void returns400ForMalformedJson(String body) {
        upload(body).then().statusCode(400).contentType("application/problem+json");
        assertThat(stored()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = { "[]", "7", "null", "\"results\"" })
    void returns422IfTheBodyIsNotAnObject(String body) {
        upload(body).then().statusCode(422);
    }

    @Test
    void rejectsJsonBombs() {
        String members = IntStream.range(0, 400_000).mapToObj(i -> "\"" + i + "\":0").collect(Collectors.joining(","));
        assertThat(withInput("[".repeat(1 << 20)).detail()).contains("nested");
        assertThat(withInput("9".repeat(1 << 20)).detail()).contains("number, name or string that is too long");
        assertThat(withInput("{" + members + "}").detail()).contains("too many members");
        assertThat(withInput("{\"" + "q".repeat(1 << 20) + "\":0}").detail()).contains("too long");
        assertThat(withScore("1e999").status()).isEqualTo(422);
    }

    @Test
    void rejectsMetadataWithUnparseableNumbers() {
        String upload = TestUpload.ofRows(1).with("experiment_metadata", Map.of("a", List.of(Map.of("b", "?")))).json();
        RawHttpResponse rejected = RawHttpResponse.postUpload(ACCOUNT, null,
                upload.replace("\"?\"", "1e99999999999").getBytes(StandardCharsets.UTF_8));
        assertThat(rejected.status()).isEqualTo(422);
        assertThat(rejected.detail()).contains("experiment_metadata must not contain a number whose exponent");
        assertThat(stored()).isZero();
    }

    @Test
    void limitsTheSizeOfSingleMembers() {
        String large = "x".repeat(1 << 20);
        assertThat(RawHttpResponse.postUpload(ACCOUNT, null, TestUpload.ofRows(1)
                .with("experiment_metadata", Map.of("a", large, "b", large))
                .with("summary_experiment_scores",
                        List.of(Map.of("key", "k", "comment", large), Map.of("key", "l", "correction", large)))
                .json().getBytes(StandardCharsets.UTF_8)).json().findValuesAsText("message"))
                .hasSize(2).allMatch(message -> message.equals("must have at most 2097152 bytes"));
        assertThat(RawHttpResponse
                .postUpload(ACCOUNT, null, TestUpload.ofRows(1).with("experiment_description", large + large + large)
                        .json().getBytes(StandardCharsets.UTF_8))
                .detail()).contains("too long");
        assertThat(stored()).isZero();
    }

    private static RawHttpResponse withInput(String json) {
        return RawHttpResponse.postUpload(ACCOUNT, null,
                TestUpload.ofRows(1).json().replace("\"why?\"", json).getBytes(StandardCharsets.UTF_8));
    }

    private static RawHttpResponse withScore(String json) {
        return RawHttpResponse.postUpload(ACCOUNT, null,
                TestUpload.ofRows(1).json().replace("0.5", json).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void returns400ForInvalidUtf8() {
        // Given
        byte[] body = TestUpload.ofRows(1).json().replace("why?", "?".repeat(70_000) + "wh").getBytes(StandardCharsets.UTF_8);
        int at = new String(body, StandardCharsets.ISO_8859_1).indexOf("wh");
        body[at] = (byte) 0xed;
        body[at + 1] = (byte) 0xa0;

        // When
        RawHttpResponse response = RawHttpResponse.postUpload(ACCOUNT, null, body);

        // Then
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.detail()).contains("UTF-8");
    }

    @Test
    void oneInvalidRowOfTenThousandStoresNothing() {
        // Given
        TestUpload upload = TestUpload.ofRows(10_000);
        upload.rowAt(7777).put("start_time", "2026-11-20T07:59:59Z");

        // When
        RawHttpResponse response = RawHttpResponse.postUpload(ACCOUNT, null, upload.json().getBytes(StandardCharsets.UTF_8));

        // Then
        assertThat(response.status()).isEqualTo(422);
        assertThat(response.json().get("errors")).hasSize(1);
        assertThat(response.json().at("/errors/0/loc").toString()).isEqualTo("[\"results\",7777,\"start_time\"]");
        assertThat(stored()).isZero();
    }

    @Test
    void reportsAHundredViolationsAndCountsAll() {
        // Given
        TestUpload upload = TestUpload.ofRows(400);
        IntStream.range(0, 400).forEach(i -> upload.rowAt(i).remove("inputs"));

        // When
        Response response = upload(upload.json());

        // Then
        response.then().statusCode(422)
                .body("errors.size()", equalTo(100))
                .body("error_count", equalTo(400))
                .body("detail", containsString("and 397 more"));
    }

    @Test
    void returns415ForUnsupportedTypesAndEncodings() {
        as(ACCOUNT).contentType("text/plain").body("{}").post("/api/v1/datasets/upload-experiment").then().statusCode(415);
        as(ACCOUNT).contentType("application/json").header("Content-Encoding", "br").body("{}")
                .post("/api/v1/datasets/upload-experiment").then().statusCode(415);
        as(ACCOUNT).contentType("application/json").header("Content-Encoding", "gzip").body("no gzip")
                .post("/api/v1/datasets/upload-experiment").then().statusCode(400);
    }

    private static Response upload(String body) {
        return as(ACCOUNT).contentType("application/json").body(body).post("/api/v1/datasets/upload-experiment");
    }

    private static long stored() {
        return Rows.count(Stream.of("datasets", "sessions", "examples", "runs", "feedback")
                .map(table -> "(SELECT count(*) FROM trace." + table + " WHERE tenant_id = '" + ACCOUNT.workspaceId() + "')")
                .collect(Collectors.joining(" + ", "SELECT ", "")));
    }

    /** A violation that can be added to an upload of five rows, independent of the others. */
    private record Violation(String where, java.util.function.Consumer<TestUpload> how) {

        String apply(TestUpload upload) {
            how.accept(upload);
            return where;
        }

        static List<Violation> all() {
            return List.of(
                    top("experiment_name", " "), top("experiment_description", 7), top("dataset_description", List.of()),
                    top("experiment_metadata", "text"), new Violation("", upload -> upload.without("dataset_name")),
                    score("summary_experiment_scores.0.key", "summary_experiment_scores", Map.of("score", 1)),
                    row(0, "row_id", "no uuid"), missing(0, "inputs"), row(0, "run_metadata", 1),
                    row(1, "inputs", List.of(1)), row(1, "expected_outputs", "text"), row(1, "actual_outputs", 7),
                    new Violation("results.4.row_id", upload -> upload.rowAt(4).put("row_id", upload.rowAt(1).get("row_id"))),
                    row(2, "start_time", 1795161602500L), row(2, "end_time", "2026-11-20T09:00:00.000001Z"),
                    row(3, "end_time", "2026-11-20T08:09:59Z"), row(3, "run_name", Map.of()), row(3, "error", 1),
                    scored(4, "key", Map.of("key", "")), scored(2, "score", Map.of("key", "k", "score", "high")),
                    scored(3, "value", Map.of("key", "k", "value", 3)),
                    scored(0, "feedback_config.type", Map.of("key", "k", "feedback_config", Map.of("type", "fuzzy"))),
                    scored(1, "feedback_config.max",
                            Map.of("key", "k", "feedback_config", Map.of("type", "continuous", "min", 2, "max", 1))));
        }

        private static Violation top(String member, Object value) {
            return new Violation(member, upload -> upload.with(member, value));
        }

        private static Violation score(String where, String member, Object score) {
            return new Violation(where, upload -> upload.with(member, List.of(score)));
        }

        private static Violation row(int position, String member, Object value) {
            return new Violation("results." + position + "." + member, upload -> upload.rowAt(position).put(member, value));
        }

        private static Violation missing(int position, String member) {
            return new Violation("results." + position + "." + member, upload -> upload.rowAt(position).remove(member));
        }

        private static Violation scored(int position, String where, Map<String, Object> score) {
            return new Violation("results." + position + ".evaluation_scores.0." + where,
                    upload -> upload.rowAt(position).put("evaluation_scores", List.of(score)));
        }
    }
}
