package dev.waybill.experiment.comparison;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hamcrest.Matchers.hasSize;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.RawHttpResponse;
import dev.waybill.experiment.TestUpload;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** CSV contains the complete comparison, without formulas that a spreadsheet evaluates. */
@QuarkusTest
class ComparisonCsvTest {

    private final Account account = Accounts.account().create();

    @Test
    void csvContainsEveryRunOfEveryRow() {
        // Given
        JsonNode base = ExperimentFixtures.body("=base", 1, 130);
        JsonNode candidate = ExperimentFixtures.body("candidate", 2, 120);
        Response uploaded = upload(base);
        String dataset = uploaded.path("dataset.id");
        String first = uploaded.path("experiment.id");
        String second = upload(candidate).path("experiment.id");
        Map<String, JsonNode> sent = Map.of(first, base, second, candidate);

        // When
        Response response = as(account).contentType("application/json").accept("text/csv")
                .body(Map.of("experiment_ids", sent.keySet(), "baseline_experiment_id", first))
                .post("/api/v1/datasets/" + dataset + "/comparison");

        // Then
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.contentType()).startsWith("text/csv");
        List<List<String>> lines = parse(response.asString());
        List<String> header = lines.getFirst();
        assertThat(header).startsWith("example_id", "experiment_id").contains("graded", "graded difference");
        assertThat(lines).hasSize(1 + 130 + 120).allMatch(line -> line.size() == header.size());
        Map<String, Map<String, String>> linesByRun = new HashMap<>();
        lines.stream().skip(1).map(line -> byColumn(header, line))
                .forEach(line -> linesByRun.put(line.get("experiment_id") + line.get("example_id"), line));
        sent.forEach(
                (id, body) -> body.get("results").forEach(row -> assertLine(linesByRun.get(id + row.get("row_id").asText()),
                        row, body == base)));
        assertThat(lines.stream().skip(1).map(List::getFirst)).isSorted();
    }

    @Test
    void formatParameterSelectsCsv() {
        // Given
        Response uploaded = upload(ExperimentFixtures.body("alone", 3, 2));
        String address = "/api/v1/datasets/" + uploaded.<String> path("dataset.id") + "/comparison?format=csv";
        String body = "{\"experiment_ids\": [\"" + uploaded.<String> path("experiment.id") + "\"]";

        // Then
        assertThat(parse(as(account).contentType("application/json").body(body + "}").post(address).asString())).hasSize(3);
        as(account).contentType("application/json").body(body + ", \"limit\": 5, \"sort\": \"example\"}").post(address).then()
                .statusCode(422).contentType("application/problem+json").body("errors", hasSize(2));
        as(Accounts.account().create()).contentType("application/json").body(body + "}").post(address).then().statusCode(404);
    }

    @Test
    @Tag("full")
    void pageOmitsTextsOverTheSizeLimitAndCsvContainsThem() {
        // Given
        String large = "x".repeat(9 * 1024 * 1024);
        TestUpload upload = TestUpload.ofRows(3);
        for (int i = 0; i < 3; i++) {
            upload.rowAt(i).put("actual_outputs", Map.of("answer", large));
        }
        JsonNode uploaded = RawHttpResponse.postJson(account, "/api/v1/datasets/upload-experiment", upload.json()).json();
        String address = "/api/v1/datasets/" + uploaded.at("/dataset/id").asText() + "/comparison";
        String body = "{\"experiment_ids\": [\"" + uploaded.at("/experiment/id").asText() + "\"]}";

        // When
        JsonNode page = RawHttpResponse.postJson(account, address, body).json();
        String csv = RawHttpResponse.postJson(account, address + "?format=csv", body).response().body();

        // Then
        List<Integer> lengths = new ArrayList<>();
        page.get("rows").forEach(row -> lengths.add(row.at("/runs/0/outputs/answer").asText().length()));
        assertThat(lengths).containsExactly(large.length(), large.length(), 0);
        assertThat(page.at("/rows/2/runs/0/left_out/0").asText()).isEqualTo("outputs");
        assertThat(page.at("/rows/1/runs/0").has("left_out")).isFalse();
        assertThat(csv.lines().filter(line -> line.length() > large.length())).hasSize(3);
    }

    private static void assertLine(Map<String, String> line, JsonNode row, boolean isBaseline) {
        assertThat(line.get("experiment")).isEqualTo(isBaseline ? "'=base" : "candidate");
        assertThat(line.get("outputs")).isEqualTo(row.hasNonNull("actual_outputs") ? row.get("actual_outputs").toString() : "");
        assertThat(line.get("error")).isEqualTo(row.hasNonNull("error") ? "'" + row.get("error").asText() : "");
        assertThat(line.get("expected_outputs")).isEqualTo(row.get("expected_outputs").toString());
        for (JsonNode score : row.get("evaluation_scores")) {
            if (score.get("key").asText().equals("continuous")) {
                assertThat(Double.parseDouble(line.get("continuous"))).isCloseTo(score.get("score").asDouble(), within(1e-12));
            }
        }
        assertThat(line.get("continuous difference").isEmpty()).isEqualTo(isBaseline);
    }

    private static Map<String, String> byColumn(List<String> header, List<String> line) {
        Map<String, String> cells = new HashMap<>();
        for (int i = 0; i < header.size(); i++) {
            cells.put(header.get(i), line.get(i));
        }
        return cells;
    }

    /** RFC 4180. */
    private static List<List<String>> parse(String csv) {
        List<List<String>> lines = new ArrayList<>();
        List<String> line = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < csv.length(); i++) {
            char c = csv.charAt(i);
            if (c == '"' && quoted && i + 1 < csv.length() && csv.charAt(i + 1) == '"') {
                cell.append('"');
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && (c == ',' || c == '\n')) {
                line.add(cell.toString());
                cell.setLength(0);
                if (c == '\n') {
                    lines.add(List.copyOf(line));
                    line.clear();
                }
            } else if (quoted || c != '\r') {
                cell.append(c);
            }
        }
        return lines;
    }

    private Response upload(JsonNode body) {
        return as(account).contentType("application/json").body(body.toString()).post("/api/v1/datasets/upload-experiment");
    }
}
