package dev.waybill.experiment.query;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestRun;
import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
class ThreadOfRunTest {

    private final Account account = Accounts.account().create();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "{\"thread_id\": \"t\"}                                          | t",
            "{\"conversation_id\": \"c\", \"thread_id\": \"t\"}              | t",
            "{\"thread_id\": \"t\", \"session_id\": \"s\", \"n\": 1e999999}  | s",
            "{\"session_id\": 17}                                           | 17",
            "{\"session_id\": \"\", \"conversation_id\": \"\\u0000\\ud800 d\\u00e4\"} | \ufffd\ufffd d\u00e4",
            "{\"session_id\": {\"thread_id\": \"t\"}}                        |",
            "{\"session_id\": true, \"other\": \"thread_id\"}                 |",
            "{\"thread\": \"t\"}                                             |",
    })
    void threadIdIsReadFromMetadata(String metadata, String thread) {
        // Given
        TestRun run = TestRun.root();

        // When
        post(run.json().replaceFirst("\\{",
                java.util.regex.Matcher.quoteReplacement("{\"extra\":{\"metadata\":" + metadata + "},")));

        // Then
        as(account).get("/runs/" + run.id()).then().body("thread_id", equalTo(thread));
    }

    @Test
    void threadIdChangesOnlyWithMetadata() {
        // Given
        TestRun run = TestRun.root().with("extra", Map.of("metadata", Map.of("thread_id", "first")));
        post(run.json());

        // When / Then
        patch(run, "{\"outputs\": {\"a\": 1}}");
        as(account).get("/runs/" + run.id()).then().body("thread_id", equalTo("first"));
        patch(run, "{\"extra\": {\"metadata\": {\"session_id\": \"second\"}}}");
        as(account).get("/runs/" + run.id()).then().body("thread_id", equalTo("second"));
        patch(run, "{\"start_time\": \"2027-02-03T00:00:00Z\"}");
        as(account).get("/runs/" + run.id()).then().body("thread_id", equalTo("second"));
        patch(run, "{\"extra\": {\"metadata\": {\"a\": 1}}}");
        as(account).get("/runs/" + run.id()).then().body("thread_id", nullValue());
    }

    @Test
    void threadIdThatIsTooLongIsIgnored() {
        // Given
        TestRun longest = TestRun.root().with("extra", Map.of("metadata", Map.of("thread_id", "\u6f22".repeat(500))));
        TestRun tooLong = TestRun.root().with("extra", Map.of("metadata", Map.of("thread_id", "x".repeat(501))));

        // When
        post(longest.json());
        post(tooLong.json());

        // Then
        as(account).get("/runs/" + longest.id()).then().body("thread_id", equalTo("\u6f22".repeat(500)));
        as(account).get("/runs/" + tooLong.id()).then().body("thread_id", nullValue());
    }

    @Test
    void filtersFindTheRunsOfAThread() {
        // Given
        for (String thread : List.of("a", "a", "b")) {
            post(TestRun.root().with("name", "of " + thread).with("session_name", "threads")
                    .with("extra", Map.of("metadata", Map.of("thread_id", thread))).json());
        }
        post(TestRun.root().with("name", "of none").with("session_name", "threads").json());

        // Then
        assertThat(names("eq(thread_id, \"a\")")).containsExactly("of a", "of a");
        assertThat(names("and(eq(thread_id, \"b\"), eq(is_root, true))")).containsExactly("of b");
        assertThat(names("not(eq(thread_id, \"a\"))")).containsExactlyInAnyOrder("of b", "of none");
        assertThat(names("or(eq(thread_id, \"b\"), not(exists(thread_id)))")).containsExactlyInAnyOrder("of b", "of none");
    }

    @Test
    void metadataWithoutThreadHasNoThreadId() {
        // Given: metadata that passes the condition of the trigger
        TestRun run = TestRun.root().with("extra", Map.of("metadata", Map.of("thread", "id\"")));

        // When
        post(run.json());

        // Then
        assertThat(Rows.value("SELECT thread_id FROM trace.runs WHERE id = ?", run.id())).isNull();
        assertThat(Rows.value("SELECT trace.thread_id(?)", "no JSON thread_id\"")).isNull();
        assertThat(Rows.value("SELECT trace.thread_id(?)", "[".repeat(100_000) + "thread_id\"")).isNull();
    }

    private List<String> names(String filter) {
        UUID session = UUID.fromString(as(account).get("/sessions?name=threads").path("[0].id"));
        return as(account).contentType("application/json")
                .body(TestRun.json(Map.of("session", List.of(session.toString()), "filter", filter))).post("/runs/query").then()
                .statusCode(200).extract().jsonPath().getList("runs.name");
    }

    private void post(String run) {
        as(account).contentType("application/json").body(run).post("/runs").then().statusCode(202);
    }

    private void patch(TestRun run, String change) {
        as(account).contentType("application/json").body(change).patch("/runs/" + run.id()).then().statusCode(202);
    }
}
