package dev.waybill.runtime.storage.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.RuntimeProcess;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;

/** Threads of one deployment are missing for another one of the same workspace and database, in every operation. */
@Tag("full")
class OtherDeploymentIT {

    private static final Path ROOT = Path.of(System.getProperty("waybill.root"));
    private static final Path WORKER = ROOT.resolve("deployment-runtime/src/test/node/threads/tickets.mjs");
    private static final Pattern LINE = Pattern.compile("^(?:  (?<path>/\\S+)|    (?<method>get|post|put|patch|delete)):$");
    private static final Map<String, String> BODIES = Map.of(
            "/threads/{thread_id}/state", "{\"values\": {\"step\": 7}}",
            "/threads/{thread_id}/state/checkpoint", "{\"checkpoint\": {}}",
            "/threads/{thread_id}/stream/events", "{\"channels\": [\"values\"]}",
            "/threads/{thread_id}/runs", Bodies.tickets("count"),
            "/threads/{thread_id}/runs/stream", Bodies.tickets("count"),
            "/threads/{thread_id}/runs/wait", Bodies.tickets("count"),
            "/threads/{thread_id}/runs/crons", Bodies.tickets("count", "\"schedule\": \"0 9 * * *\""));

    /** Creates a thread of the same id. */
    private static final String COMMANDS = "/threads/{thread_id}/commands";
    private static final String START = """
            {"id": 1, "method": "run.start", "params": {"assistant_id": "tickets", "input": {}}}
            """;

    private final UUID tenant = UUID.randomUUID();

    @TempDir
    private Path directory;

    @Test
    void threadOfAnotherDeploymentIsMissing() throws Exception {
        Files.writeString(directory.resolve("langgraph.json"),
                "{\"graphs\": {\"tickets\": {\"command\": [\"node\", \"" + WORKER + "\"]}}}");
        try (RuntimeProcess first = start("first"); RuntimeProcess second = start("second")) {
            // Given
            URI owner = first.awaitReady();
            URI other = second.awaitReady();
            String thread = at(owner).body("{}").post("/threads").path("thread_id");
            at(owner).body(Bodies.tickets("count")).post("/threads/" + thread + "/runs/wait").then().statusCode(200);
            String run = at(owner).get("/threads/" + thread + "/runs").path("[0].run_id");
            Response state = at(owner).get("/threads/" + thread + "/state");

            // When
            List<String> found = new ArrayList<>();
            for (Operation operation : operations()) {
                String path = operation.path().replace("{thread_id}", thread).replace("{run_id}", run)
                        .replace("{checkpoint_id}", state.path("checkpoint.checkpoint_id"));
                int status = send(other, operation, path).statusCode();
                if (status != 404) {
                    found.add(status + " " + operation);
                }
            }

            // Then
            assertThat(found).isEmpty();
            assertThat(at(other).body("{}").post("/threads/search").<List<Object>> path("")).isEmpty();
            assertThat(at(other).body("{}").post("/threads/count").asString()).isEqualTo("0");
            String ids = "{\"thread_ids\": [\"" + thread + "\"]}";
            assertThat(at(other).body(ids).post("/threads/prune").<Integer> path("pruned_count")).isZero();
            String named = "{\"thread_id\": \"%s\", \"run_ids\": [\"%s\"]}".formatted(thread, run);
            assertThat(at(other).body(named).post("/runs/cancel").statusCode()).isEqualTo(404);
            at(other).body(START).post(COMMANDS.replace("{thread_id}", thread)).then().statusCode(200);
            assertThat(at(owner).get("/threads/" + thread + "/state").asString()).isEqualTo(state.asString());
        }
    }

    private record Operation(String method, String path) {
    }

    /** Returns the described operations of one thread. */
    private static List<Operation> operations() throws IOException {
        List<Operation> operations = new ArrayList<>();
        String path = "";
        for (String line : Files.readAllLines(ROOT.resolve("docs/openapi/deployment-runtime.yaml"))) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                if (matcher.group("path") != null) {
                    path = matcher.group("path");
                } else if (path.startsWith("/threads/{thread_id}") && !path.equals(COMMANDS)) {
                    operations.add(new Operation(matcher.group("method"), path));
                }
            }
        }
        assertThat(operations).hasSizeGreaterThan(20);
        return operations;
    }

    private static Response send(URI runtime, Operation operation, String path) {
        RequestSpecification request = at(runtime);
        return switch (operation.method()) {
            case "get" -> request.get(path);
            case "delete" -> request.delete(path);
            case "patch" -> request.body("{\"metadata\": {}}").patch(path);
            default -> request.body(BODIES.getOrDefault(operation.path(), "{}")).post(path);
        };
    }

    private static RequestSpecification at(URI runtime) {
        return RestAssured.given().baseUri(runtime.toString()).port(runtime.getPort()).contentType(ContentType.JSON);
    }

    private RuntimeProcess start(String name) throws IOException {
        Map<String, String> settings = new HashMap<>(new RuntimeDatabase(tenant).settings());
        settings.put("waybill.runtime.threads.storage", "postgresql");
        return RuntimeProcess.start(directory, settings, directory.resolve(name + ".log"));
    }
}
