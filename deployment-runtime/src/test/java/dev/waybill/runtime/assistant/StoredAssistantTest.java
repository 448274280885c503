package dev.waybill.runtime.assistant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.ThreadCaller;

/** Stored assistants: graphs with settings of their own. */
@RuntimeTest
class StoredAssistantTest {

    private static final String OF_THREADS = """
            {"graph_id": "threads", "name": "Polite", "metadata": {"team": "a"}, "context": {"tone": "polite"},
             "config": {"tags": ["x"], "configurable": {"user": "u", "model": "m"}}}""";

    private final Caller caller = Caller.authorized();
    private final List<String> created = new ArrayList<>();

    /** Other tests count the assistants of the same owner. */
    @AfterEach
    void deleteCreated() {
        created.forEach(id -> caller.delete("/assistants/" + id));
    }

    private String create(String body) {
        String id = caller.post("/assistants", body).then().statusCode(200).extract().path("assistant_id");
        created.add(id);
        return id;
    }

    @Test
    void createdAssistantIsRead() {
        String id = create(OF_THREADS);

        caller.get("/assistants/" + id).then().statusCode(200)
                .body("name", equalTo("Polite"))
                .body("graph_id", equalTo("threads"))
                .body("version", equalTo(1))
                .body("config.configurable.model", equalTo("m"))
                .body("context.tone", equalTo("polite"))
                .body("metadata.team", equalTo("a"));
        new Caller("issued-assistants").get("/assistants/" + id).then().statusCode(404);
        Patience.await().until(() -> caller.get("/assistants/" + id + "/schemas").statusCode() == 200);
    }

    @Test
    void existingIdIsAConflictUnlessAllowed() {
        String id = UUID.randomUUID().toString();
        create("{\"graph_id\": \"threads\", \"assistant_id\": \"" + id + "\"}");
        String again = "{\"graph_id\": \"agent\", \"assistant_id\": \"" + id + "\"%s}";

        caller.post("/assistants", again.formatted("")).then().statusCode(409);
        caller.post("/assistants", again.formatted(", \"if_exists\": \"do_nothing\"")).then().statusCode(200)
                .body("graph_id", equalTo("threads"))
                .body("name", equalTo("threads"));
        new Caller("issued-assistants").post("/assistants", again.formatted(", \"if_exists\": \"do_nothing\"")).then()
                .statusCode(409);
    }

    @Test
    void allErrorsAreReportedAtOnce() {
        caller.post("/assistants",
                """
                        {"graph_id": "nobody", "if_exists": "maybe", "name": "%s", "config": {"configurable": 1}, "metadata": {"a": "%s"}}
                        """
                        .formatted("n".repeat(256), "x".repeat(70_000)))
                .then().statusCode(422)
                .body("errors.size()", equalTo(5));
        caller.post("/assistants", "{}").then().statusCode(422).body(containsString("graph_id"));
        caller.post("/assistants/search", "{\"sort_by\": \"size\", \"sort_order\": \"up\", \"limit\": 0}").then()
                .statusCode(422).body("errors.size()", equalTo(3));
    }

    @Test
    void changeAddsAVersionAndAnEarlierOneBecomesCurrent() {
        String id = create(OF_THREADS);

        caller.patch("/assistants/" + id, "{\"name\": \"Rude\", \"metadata\": {\"step\": 2}}").then().statusCode(200)
                .body("version", equalTo(2)).body("metadata.team", equalTo("a")).body("metadata.step", equalTo(2));
        caller.post("/assistants/" + id + "/versions", "{}").then().statusCode(200)
                .body("version", contains(2, 1)).body("[0]", not(hasKey("updated_at")));
        caller.post("/assistants/" + id + "/versions", "{\"metadata\": {\"step\": 2}}").then().body("version", contains(2));
        caller.post("/assistants/" + id + "/latest", "{\"version\": 1}").then().statusCode(200).body("name", equalTo("Polite"));
        caller.post("/assistants/" + id + "/latest", "{\"version\": 3}").then().statusCode(404);
        caller.post("/assistants/" + id + "/latest", "{}").then().statusCode(422);
    }

    @Test
    void metadataOfAnAssistantIsLimited() {
        String id = create(OF_THREADS);
        String change = "{\"metadata\": {\"%s\": \"" + "x".repeat(40_000) + "\"}}";

        caller.patch("/assistants/" + id, change.formatted("a")).then().statusCode(200);
        caller.patch("/assistants/" + id, change.formatted("b")).then().statusCode(413);
    }

    @Test
    void assistantsOfGraphsCannotBeChanged() {
        caller.delete("/assistants/agent").then().statusCode(409).body("detail", containsString("of a graph"));
        caller.patch("/assistants/agent", "{\"name\": \"other\"}").then().statusCode(409);
        caller.post("/assistants/agent/versions", "{}").then().statusCode(200).body("version", contains(1));
        caller.get("/assistants/agent").then().statusCode(200);
    }

    /** Other tests leave assistants; the names of graphs do not begin with a dot. */
    @Test
    void searchFindsAssistantsOfGraphsAndStoredOnes() {
        String mark = UUID.randomUUID().toString().substring(0, 8);
        String body = "{\"graph_id\": \"threads\", \"name\": \"%s." + mark + "-thread\", \"metadata\": {\"mark\": \"" + mark
                + "\"}}";
        String first = create(body.formatted(".Z"));
        String second = create(body.formatted(".a"));
        String sorted = "{\"name\": \"THREAD\", \"sort_by\": \"name\", \"sort_order\": \"asc\", \"limit\": 3%s}";
        String marked = "{\"metadata\": {\"mark\": \"" + mark + "\"}%s}";

        assertThat(names(sorted.formatted(""))).containsExactly(".Z." + mark + "-thread", ".a." + mark + "-thread", "threads");
        assertThat(names(sorted.formatted(", \"offset\": 1")).subList(0, 2))
                .containsExactly(".a." + mark + "-thread", "threads");
        caller.post("/assistants/search", marked.formatted(", \"limit\": 1")).then()
                .header("X-Pagination-Total", equalTo("2")).header("X-Pagination-Next", equalTo("1"))
                .body("assistant_id", contains(second));
        caller.post("/assistants/search", marked.formatted(", \"offset\": 1")).then().body("assistant_id", contains(first));
        caller.post("/assistants/search", marked.formatted(", \"select\": [\"graph_id\", \"version\"]")).then()
                .body("[0].toString()", equalTo("[graph_id:threads, version:1]"));
        caller.post("/assistants/count", marked.formatted("")).then().body(equalTo("2"));
    }

    private List<String> names(String filter) {
        return caller.post("/assistants/search", filter).then().statusCode(200).extract().path("name");
    }

    @Test
    void runsGetTheSettingsOfTheAssistant() {
        String id = create(OF_THREADS);
        String body = """
                {"assistant_id": "%s", "input": {"messages": [{"role": "user", "content": "settings"}]},
                 "config": {"configurable": {"user": "me"}}, "context": {"name": "n"}, "metadata": {"own": 1}}""".formatted(id);
        String settings = "{\"user\":\"me\",\"model\":\"m\",\"tone\":\"polite\",\"name\":\"n\"}";

        caller.await(body).then().statusCode(200).body("messages[1].content", equalTo(settings));
        ThreadCaller thread = ThreadCaller.create();
        thread.await(body).then().statusCode(200).body("messages[1].content", equalTo(settings));
        thread.get("").then().body("[0].assistant_id", equalTo(id)).body("[0].metadata.team", equalTo("a"))
                .body("[0].metadata.own", equalTo(1));
        Patience.await().until(() -> id.equals(thread.read().path("metadata.assistant_id")));
        caller.delete("/assistants/" + id).then().statusCode(204);
        thread.await(body).then().statusCode(404);
    }

    @Test
    void threadsAreDeletedWithTheAssistantOnRequest() {
        String id = create(OF_THREADS);
        String ofAssistant = "{\"metadata\": {\"assistant_id\": \"" + id + "\"}}";
        String other = ThreadCaller.create().id();
        for (int i = 0; i < 101; i++) {
            caller.post("/threads", ofAssistant).then().statusCode(200);
        }

        caller.delete("/assistants/" + id + "?delete_threads=true").then().statusCode(204);

        caller.post("/threads/count", ofAssistant).then().body(equalTo("0"));
        caller.get("/threads/" + other).then().statusCode(200);
        caller.delete("/assistants/" + id).then().statusCode(404);
    }

    @Test
    void graphAndSubgraphsAreDescribedByTheWorker() {
        String id = create(OF_THREADS);
        Patience.await().until(() -> caller.get("/assistants/" + id + "/graph").statusCode() == 200);

        caller.get("/assistants/" + id + "/graph?xray=true").then().statusCode(200)
                .body("nodes.id", hasItems("begin", "talk"));
        caller.get("/assistants/langgraph/subgraphs?recurse=true").then().statusCode(200);
        caller.get("/assistants/agent/graph").then().statusCode(200).body("nodes.id", hasItems("agent"));
        caller.get("/assistants/agent/subgraphs/none").then().statusCode(404);
        caller.get("/assistants/" + id + "/graph?xray=-1").then().statusCode(422);
        caller.get("/assistants/nobody/subgraphs").then().statusCode(404);
    }

    @Test
    void zeroCharacterIsRejected() {
        String id = UUID.randomUUID().toString();
        String zero = "{\"graph_id\": \"threads\", \"%s\": \"a\\u0000b\"}";

        caller.post("/assistants", zero.formatted("name")).then().statusCode(422);
        caller.post("/assistants", zero.formatted("description")).then().statusCode(422);
        caller.patch("/assistants/" + id, zero.formatted("name")).then().statusCode(422);
        caller.patch("/assistants/" + id, zero.formatted("description")).then().statusCode(422);
        caller.post("/assistants/search", zero.formatted("name")).then().statusCode(422);
        caller.post("/assistants/count", "{\"graph_id\": \"a\\u0000b\"}").then().statusCode(422);
    }
}
