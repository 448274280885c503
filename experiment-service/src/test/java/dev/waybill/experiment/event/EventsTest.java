package dev.waybill.experiment.event;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.EventStreamReader;
import dev.waybill.common.testing.Patience;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestRun;
import dev.waybill.experiment.TestUpload;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

@QuarkusTest
class EventsTest {

    @Inject
    ChangeRelay relay;

    private final Account account = Accounts.account().create();
    private final List<EventStreamReader> followers = new ArrayList<>();

    @AfterEach
    void disconnect() {
        followers.forEach(EventStreamReader::close);
    }

    @Test
    void heartbeatIsSentAtOnce() {
        EventStreamReader follower = follow(account);

        assertThat(follower.response().statusCode()).isEqualTo(200);
        assertThat(follower.response().headers().firstValue("Content-Type")).contains("text/event-stream");
        assertThat(follower.response().headers().firstValue("Cache-Control")).contains("no-store");
        follower.awaitText(": heartbeat\n\n");
    }

    @Test
    void everyKindOfChangeIsAnnounced() {
        // Given
        EventStreamReader follower = connected(account);

        // When
        TestRun run = TestRun.root().with("session_name", "watched");
        post("/runs", run.members()).then().statusCode(202);
        String session = as(account).get("/sessions?name=watched").path("[0].id");
        follower.awaitText(change("runs", session, session, null));
        as(account).contentType("application/json").body("{\"outputs\": {\"a\": 1}}").patch("/runs/" + run.id());
        as(account).contentType("application/json").body("{\"description\": \"d\"}").patch("/sessions/" + session);
        post("/feedback", Map.of("run_id", run.id().toString(), "key", "k", "score", 1));
        Response upload = as(account).contentType("application/json").body(TestUpload.ofRows(1).json())
                .post("/api/v1/datasets/upload-experiment");

        // Then
        follower.awaitText(change("session", session, session, null));
        follower.awaitText(change("feedback", session, session, null));
        follower.awaitText(change("experiment", upload.path("experiment.id"), upload.path("experiment.id"),
                upload.path("dataset.id")));
        follower.await(() -> count(follower.text(), change("runs", session, session, null)) >= 2);
    }

    @Test
    void changesOfOtherReplicasAreAnnounced() {
        // Given
        EventStreamReader follower = connected(account);
        UUID session = UUID.randomUUID();

        // When
        Rows.value("""
                INSERT INTO trace.recent_changes (tenant_id, type, id, session_id, changed_at)
                VALUES (?, 'runs', ?, ?, clock_timestamp()), (?, 'later_release', ?, ?, clock_timestamp())
                """, account.workspaceId(), session, session, account.workspaceId(), session, session);

        // Then
        follower.awaitText(change("runs", session.toString(), session.toString(), null));
    }

    @Test
    void changesOfOtherWorkspacesAreNotAnnounced() {
        // Given
        EventStreamReader follower = connected(account);
        Account stranger = Accounts.account().create();
        EventStreamReader theirs = connected(stranger);

        // When
        as(stranger).contentType("application/json").body("{\"name\": \"theirs\"}").post("/sessions");
        theirs.awaitText("\"type\":\"session\"");
        as(account).contentType("application/json").body("{\"name\": \"mine\"}").post("/sessions");
        follower.awaitText("\"type\":\"session\"");

        // Then
        assertThat(count(follower.text(), "event: change")).isEqualTo(1);
    }

    @Test
    @Tag("full")
    void revokedKeyEndsTheStream() {
        // Given
        EventStreamReader follower = connected(account);

        // When
        Rows.value("UPDATE account.api_keys SET revoked_at = now() WHERE workspace_id = ?", account.workspaceId());

        // Then
        follower.awaitText("event: end\ndata: {\"reason\":\"unauthenticated\"}");
        follower.await(() -> follower.hasEnded());
    }

    @Test
    void streamsOfAWorkspaceAreLimitedAndReleased() {
        // Given
        for (int i = 0; i < ChangeStream.MAX_STREAMS_PER_WORKSPACE; i++) {
            assertThat(follow(account).response().statusCode()).isEqualTo(200);
        }

        // When
        EventStreamReader rejected = follow(account);
        EventStreamReader stranger = follow(Accounts.account().create());
        followers.forEach(EventStreamReader::close);

        // Then
        assertThat(rejected.response().statusCode()).isEqualTo(429);
        assertThat(rejected.response().headers().firstValue("Retry-After")).isPresent();
        assertThat(stranger.response().statusCode()).isEqualTo(200);
        Patience.await().until(() -> follow(account).response().statusCode() == 200);
    }

    @Test
    void pollingReturnsChangesSinceThePosition() {
        // Given
        Response start = as(account).get("/api/v1/events");
        start.then().statusCode(200).body("events", hasSize(0)).body("complete", equalTo(true));
        as(account).contentType("application/json").body("{\"name\": \"polled\"}").post("/sessions");
        String session = as(account).get("/sessions?name=polled").path("[0].id");

        // When
        Patience.await().until(() -> !since(start.path("position")).<List<Object>> path("events").isEmpty());

        // Then
        since(start.path("position")).then().statusCode(200).body("complete", equalTo(true))
                .body("events.type", contains("session")).body("events.id", contains(session));
        since("2026-01-01T00:00:00Z").then().statusCode(200).body("complete", equalTo(false));
        since("yesterday").then().statusCode(422).body("errors.loc.flatten()", contains("since"));
        as(account).get("/api/v1/events?colour=blue").then().statusCode(422);
    }

    @Test
    void streamResumesAfterTheLastEventId() {
        // Given
        EventStreamReader first = connected(account);
        as(account).contentType("application/json").body("{\"name\": \"before\"}").post("/sessions");
        first.awaitText("\"type\":\"session\"");
        Patience.await().until(() -> first.text().lastIndexOf("id: ") > first.text().indexOf("\"type\":\"session\""));
        first.close();
        String missed = as(account).contentType("application/json").body("{\"name\": \"missed\"}").post("/sessions").path("id");
        awaitStored(missed);

        // When
        EventStreamReader resumed = follow(account, first.lastEventId());
        EventStreamReader since = follow(account, null, "?since=" + first.lastEventId());

        // Then
        resumed.awaitText(change("session", missed, missed, null));
        since.awaitText(change("session", missed, missed, null));
        assertThat(resumed.text()).doesNotContain("resync");
        String later = as(account).contentType("application/json").body("{\"name\": \"later\"}").post("/sessions").path("id");
        resumed.awaitText(change("session", later, later, null));
    }

    @Test
    void oldOrUnknownLastEventIdLeadsToResync() {
        for (String id : List.of("2026-01-01T00:00:00.000000Z", "nonsense", "-5")) {
            follow(account, id).awaitText("event: resync\ndata: {}\n\n");
        }
    }

    @Test
    void tooManyChangesSinceAPositionLeadToResync() {
        // Given
        Response start = as(account).get("/api/v1/events");
        Rows.value("""
                INSERT INTO trace.recent_changes (tenant_id, type, id, changed_at)
                SELECT ?, 'runs', gen_random_uuid(), clock_timestamp() FROM generate_series(1, ?)
                """, account.workspaceId(), ChangeRelay.MAX_CHANGES + 1);

        // Then
        since(start.path("position")).then().statusCode(200).body("complete", equalTo(false)).body("events", hasSize(0));
        follow(account, start.path("position")).awaitText("event: resync");
    }

    @Test
    void invalidParametersOfTheStreamReturn422() {
        assertThat(follow(account, null, "?since=yesterday").response().statusCode()).isEqualTo(422);
        assertThat(follow(account, null, "?colour=blue").response().statusCode()).isEqualTo(422);
    }

    @Test
    void oldChangesAreDeletedAndLockedOnesSkipped() throws SQLException {
        // Given
        UUID recent = UUID.randomUUID();
        Rows.value("""
                INSERT INTO trace.recent_changes (tenant_id, type, id, changed_at)
                VALUES (?, 'runs', ?, now() - interval '1 minute'), (?, 'runs', ?, now() - interval '3 minutes'),
                    (?, 'session', ?, now() - interval '3 minutes')
                """, account.workspaceId(), recent, account.workspaceId(), UUID.randomUUID(), account.workspaceId(),
                UUID.randomUUID());
        String stored = "SELECT string_agg(type, ',' ORDER BY type) FROM trace.recent_changes WHERE tenant_id = ?";

        // When
        String whileLocked;
        try (Connection writer = TestDatabase.get().superuser()) {
            writer.setAutoCommit(false);
            Rows.value(writer, "SELECT 1 FROM trace.recent_changes WHERE tenant_id = ? AND type = 'session' FOR UPDATE",
                    account.workspaceId());
            relay.deleteOld().await().indefinitely();
            whileLocked = Rows.value(stored, account.workspaceId());
            // Closing alone releases the lock later.
            writer.rollback();
        }
        relay.deleteOld().await().indefinitely();

        // Then
        assertThat(whileLocked).isEqualTo("runs,session");
        assertThat(Rows.value(stored, account.workspaceId())).isEqualTo("runs");
    }

    private void awaitStored(String id) {
        Patience.await().until(() -> "1".equals(String.valueOf(
                Rows.value("SELECT count(*) FROM trace.recent_changes WHERE id = ?", UUID.fromString(id)))));
    }

    private Response since(String position) {
        return as(account).queryParam("since", position).get("/api/v1/events");
    }

    private Response post(String path, Map<String, Object> body) {
        return as(account).contentType("application/json").body(TestRun.json(body)).post(path);
    }

    private EventStreamReader connected(Account caller) {
        EventStreamReader follower = follow(caller);
        follower.awaitText(": heartbeat");
        return follower;
    }

    private EventStreamReader follow(Account caller) {
        return follow(caller, null);
    }

    private EventStreamReader follow(Account caller, String lastEventId) {
        return follow(caller, lastEventId, "");
    }

    private EventStreamReader follow(Account caller, String lastEventId, String query) {
        EventStreamReader follower = EventStreamReader.open(caller, "/api/v1/events" + query, lastEventId);
        followers.add(follower);
        return follower;
    }

    private static String change(String type, String id, String session, String dataset) {
        return "event: change\ndata: {\"type\":\"" + type + "\",\"id\":\"" + id + "\",\"session_id\":\"" + session
                + "\",\"dataset_id\":" + (dataset == null ? "null" : "\"" + dataset + "\"") + ",\"deployment_id\":null}\n\n";
    }

    private static int count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }
}
