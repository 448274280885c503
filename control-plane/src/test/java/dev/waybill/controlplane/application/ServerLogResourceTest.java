package dev.waybill.controlplane.application;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.EventStreamReader;
import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.HttpResult;
import dev.waybill.controlplane.deployment.Deployments;
import dev.waybill.controlplane.engine.InMemoryEngine.Script;
import dev.waybill.controlplane.engine.local.LocalDeploymentScenario;
import io.quarkus.test.junit.QuarkusTest;

/** The output and the usage of a real process of the local engine, through the API. */
@QuarkusTest
class ServerLogResourceTest extends LocalDeploymentScenario {

    private final List<EventStreamReader> followers = new ArrayList<>();

    private UUID revision;

    @BeforeEach
    void deploy() throws IOException {
        fixture.repository.commit(ref, false);
        HttpResult created = Deployments.create(account,
                Deployments.body(name, ref, ", \"secrets\": [{\"name\": \"SECRET\", \"value\": \"hush-hush\"}]"), 201);
        deployment = created.id();
        revision = Deployments.latest(created);
        Deployments.awaitStatus(account, deployment, revision, "DEPLOYED");
    }

    @AfterEach
    void close() {
        followers.forEach(EventStreamReader::close);
    }

    @Test
    void outputIsReadWithoutSecretsAndContinued() throws Exception {
        // When
        HttpResult first = as(account).get(log("?phase=server"));
        print("2026-11-24T08:00:00Z ERROR it costs hush-hush");
        HttpResult next = as(account).get(log("?phase=server&offset=" + first.text("next_offset")));

        // Then
        assertThat(first.list("logs.line", String.class)).containsExactly("begins as well with ***");
        assertThat(next.list("logs", Map.class)).singleElement().satisfies(line -> assertThat((Map<?, ?>) line)
                .hasToString("{at=2026-11-24T08:00:00.000000Z, phase=server, stream=stdout, "
                        + "line=2026-11-24T08:00:00Z ERROR it costs ***, level=error, instance=null}"));
        assertThat(as(account).get(log("?phase=server&offset=" + next.text("next_offset"))).list("logs", Map.class)).isEmpty();
        assertThat(as(account).get(log("")).list("logs.phase", String.class)).doesNotContain("server").isNotEmpty();
    }

    @Test
    void outputIsSearched() throws Exception {
        print("2026-11-24T08:00:00Z INFO apples");
        print("2026-11-24T09:00:00Z WARN pears");

        assertThat(lines("&q=APPLES")).containsExactly("2026-11-24T08:00:00Z INFO apples");
        assertThat(lines("&level=warn")).containsExactly("2026-11-24T09:00:00Z WARN pears");
        assertThat(lines("&since=2026-11-24T08:30:00Z")).contains("2026-11-24T09:00:00Z WARN pears")
                .doesNotContain("2026-11-24T08:00:00Z INFO apples");
        assertThat(lines("&q=hush")).isEmpty();
        assertThat(lines("&limit=1")).containsExactly("2026-11-24T09:00:00Z WARN pears");
    }

    /** One test, because each deploys an application. */
    @Test
    void invalidParametersReturn422() {
        Map<String, String> locations = Map.of("phase=build", "phase", "q=x", "q", "level=warn", "level",
                "since=2026-11-24T08:00:00Z", "since", "phase=server&level=loud", "level",
                "phase=server&since=yesterday", "since", "phase=server&limit=0", "limit", "phase=server&limit=1001", "limit",
                "phase=server&offset=-1", "offset", "phase=server&offset=x", "offset");
        locations.forEach((query, location) -> {
            for (String type : List.of("application/json", "text/event-stream")) {
                HttpResult rejected = as(account).header("Accept", type).get(log("?" + query));

                assertThat(rejected.status()).as(query + rejected.body()).isEqualTo(422);
                assertThat(rejected.list("errors.loc.flatten()", String.class)).as(query).containsExactly(location);
            }
        });
    }

    @Test
    void otherWorkspacesDoNotFindTheLog() {
        Account stranger = Deployments.account();

        assertThat(as(stranger).get(log("?phase=server")).status()).isEqualTo(404);
        assertThat(as(stranger).header("Accept", "text/event-stream").get(log("?phase=server")).status()).isEqualTo(404);
        assertThat(as(account).get(Deployments.revision(deployment, UUID.randomUUID()) + "/logs?phase=server").status())
                .isEqualTo(404);
    }

    @Test
    void streamSendsNewLinesAndResumes() throws Exception {
        // Given
        EventStreamReader follower = follow("?phase=server", null);
        follower.awaitText("begins as well with ***");

        // When
        print("one");
        follower.awaitText("\"line\":\"one\"");
        follower.close();
        print("two hush-hush");
        EventStreamReader resumed = follow("?phase=server", follower.lastEventId());

        // Then
        resumed.awaitText("\"line\":\"two ***\"");
        assertThat(resumed.text()).doesNotContain("begins as", "\"one\"");
        assertThat(follow("?phase=server", "nonsense").response().statusCode()).isEqualTo(422);
    }

    @Test
    void streamSelectsLines() throws Exception {
        EventStreamReader follower = follow("?phase=server&q=wanted", null);
        follower.awaitText(": heartbeat");

        print("other");
        print("wanted");

        follower.awaitText("\"line\":\"wanted\"");
        assertThat(follower.text()).doesNotContain("other", "begins");
    }

    @Test
    @Tag("full")
    void fastOutputIsSentPartlyAndTheRestCounted() throws Exception {
        // Given
        EventStreamReader follower = follow("?phase=server", null);
        follower.awaitText("begins as");

        // When
        fixture.get(port, "/flood?50000");

        // Then: numbers increase, and every line is either sent or counted
        follower.awaitText("\"line\":\"50000\"");
        List<Long> numbers = new ArrayList<>();
        long leftOut = 0;
        for (String line : follower.text().split("\n")) {
            if (line.contains("lines were left out")) {
                leftOut += Long.parseLong(line.replaceAll(".*\"line\":\"([0-9]+) lines.*", "$1"));
            } else if (line.matches(".*\"line\":\"[0-9]+\".*")) {
                numbers.add(Long.parseLong(line.replaceAll(".*\"line\":\"([0-9]+)\".*", "$1")));
            }
        }
        assertThat(numbers).isSorted().doesNotHaveDuplicates();
        assertThat(numbers.size() + leftOut).isEqualTo(50_000);
    }

    @Test
    void outputOfACrashIsRetainedAfterTheRestart() throws Exception {
        // Given
        print("last words");

        // When
        fixture.get(port, "/crash");

        // Then
        Patience.await().untilAsserted(
                () -> assertThat(lines("")).containsExactly("begins as well with ***", "last words",
                        "begins as well with ***"));
    }

    @Test
    @Tag("full")
    void revokedKeyEndsTheStream() {
        // Given
        EventStreamReader follower = follow("?phase=server", null);
        follower.awaitText("begins as");

        // When
        DatabaseInspector.update("UPDATE account.api_keys SET revoked_at = now() WHERE workspace_id = '"
                + account.workspaceId() + "'");

        // Then
        follower.awaitText("event: end\ndata: {\"reason\":\"unauthenticated\"}");
        Patience.await().until(() -> follower.hasEnded());
        DatabaseInspector.update("UPDATE account.api_keys SET revoked_at = NULL WHERE workspace_id = '"
                + account.workspaceId() + "'");
        Patience.await().until(() -> as(account).get(log("")).status() == 200);
    }

    @Test
    void statusHasRestartsAndUsageOfTheProcess() throws Exception {
        // Given
        fixture.get(port, "/crash");
        Patience.await().ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> fixture.get(port, "/version").statusCode() == 200);
        int requests = 5;
        for (int i = 0; i < requests; i++) {
            fixture.get(port, "/version");
        }

        // When
        String path = Deployments.PATH + "/" + deployment + "/status";
        HttpResult status = as(account).get(path);

        // Then
        assertThat(status.status()).as(status.body()).isEqualTo(200);
        assertThat(status.text("revision_id")).isEqualTo(revision.toString());
        assertThat((int) status.value("instances")).isOne();
        assertThat((int) status.value("ready_instances")).isOne();
        assertThat((int) status.value("restarts")).isOne();
        assertThat(((Number) status.value("cpu_cores")).doubleValue()).isNotNegative();
        assertThat(((Number) status.value("memory_bytes")).longValue()).isGreaterThan(10L << 20);
        assertThat(((Number) status.value("requests_per_minute")).longValue()).isNotNegative();
        assertThat(as(Deployments.account()).get(path).status()).isEqualTo(404);
    }

    @Test
    void statusWithoutAnActiveRevisionIsEmpty() {
        String building = Deployments.newName();
        engines.script(building).prepare(Script.NEVER);
        HttpResult unused = Deployments.create(account, building);

        HttpResult status = as(account).get(Deployments.PATH + "/" + unused.id() + "/status");

        assertThat(status.status()).isEqualTo(200);
        assertThat(status.value("revision_id")).isNull();
        assertThat(status.value("restarts")).isNull();
    }

    private String log(String query) {
        return Deployments.revision(deployment, revision) + "/logs" + query;
    }

    private List<String> lines(String query) {
        return as(account).get(log("?phase=server" + query)).list("logs.line", String.class);
    }

    private void print(String line) throws IOException, InterruptedException {
        assertThat(fixture.get(port, "/print?" + line.replace(" ", "%20")).statusCode()).isEqualTo(200);
    }

    private EventStreamReader follow(String query, @Nullable String lastEventId) {
        EventStreamReader follower = EventStreamReader.open(account, log(query), lastEventId);
        followers.add(follower);
        return follower;
    }
}
