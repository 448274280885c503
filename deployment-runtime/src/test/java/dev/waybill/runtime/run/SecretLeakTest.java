package dev.waybill.runtime.run;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Test;

import com.sun.net.httpserver.HttpServer;

import dev.waybill.common.testing.LogLines;
import dev.waybill.common.testing.Management;
import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.ControlPlaneStub;
import dev.waybill.runtime.EventReader;
import dev.waybill.runtime.RuntimeTest;

/** Secrets and customer data must not appear in logs, metrics and unrelated members of webhooks. */
@RuntimeTest
class SecretLeakTest {

    private static final String CANARY = "canary4711";
    /** Paths may be logged at debug level but must not be metric labels. */
    private static final String PATH_CANARY = "canary4712";
    private static final Caller CALLER = new Caller("issued-key" + CANARY);
    private static final String RUN = """
            "metadata": {"m": "metadata%1$s"}, "config": {"configurable": {"secret": "config%1$s"}},
            "context": {"token": "context%1$s"}, "webhook": "http://127.0.0.1:%2$s/path%1$s?key=query%1$s"
            """;

    private final List<String> webhooks = new CopyOnWriteArrayList<>();

    @Test
    void secretsAreNeitherLoggedNorExported() throws IOException {
        HttpServer hook = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        hook.createContext("/", exchange -> {
            webhooks.add(exchange.getRequestHeaders().entrySet()
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(500, -1);
            exchange.close();
        });
        hook.start();
        try (LogLines log = LogLines.listen()) {
            // When: runs that succeed, fail, are rejected and read; webhooks that cannot be delivered
            String members = RUN.formatted(CANARY, hook.getAddress().getPort());
            String run = CALLER.start(Bodies.agent("say " + CANARY, members));
            CALLER.awaitStatus(run, "success");
            try (EventReader failing = EventReader.stream(Bodies.agent("fail", members), CALLER.key())) {
                assertThat(failing.rest()).last().extracting(EventReader.Event::name).isEqualTo("error");
            }
            new Caller("unknown" + CANARY).get("/runs/" + PATH_CANARY).then().statusCode(401);
            CALLER.get("/nothing/" + PATH_CANARY).then().statusCode(404);
            CALLER.post("/runs", "{\"assistant_id\": \"" + CANARY + "\", \"input\": null}").then().statusCode(404);
            given().header("Authorization", "Bearer " + CALLER.key()).get("/runs/" + run).then().statusCode(200);
            Patience.await().until(() -> webhooks.size() == 8
                    && log.lines().stream().anyMatch(line -> line.contains("could not deliver a webhook")));

            // Then
            assertThat(log.lines()).isNotEmpty().filteredOn(line -> line.contains(CANARY)).isEmpty();
            assertThat(Management.get("/q/metrics"))
                    .contains("waybill_runtime_runs_total{", "graph=\"agent\"")
                    .doesNotContain(CANARY, PATH_CANARY, run, ControlPlaneStub.WORKSPACE);
            assertThat(webhooks).allMatch(call -> call.contains("metadata" + CANARY))
                    .noneMatch(call -> call.contains(CALLER.key()) || call.contains("config" + CANARY)
                            || call.contains("context" + CANARY) || call.contains("query" + CANARY));
        } finally {
            hook.stop(0);
        }
    }
}
