package dev.waybill.experiment;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Threats T10 and T11: compares responses to ids of another workspace with responses to unknown ids. */
@QuarkusTest
class TraceIsolationTest {

    private final Account caller = Accounts.account().create();
    private final Account other = Accounts.account().create();
    private final TestRun foreignRun = TestRun.root().with("session_name", "theirs");
    private UUID foreignSession;

    @BeforeEach
    void createRunAndSessionInOtherWorkspace() {
        assertThat(RawHttpResponse.postForm(other, null, TestForm.of(foreignRun)
                .part("attachment." + foreignRun.id() + ".a", "text/plain", new byte[] { 1 })
                .part("feedback." + foreignRun.id(), "{}").bytes()).status()).isEqualTo(202);
        assertThat(RawHttpResponse.postForm(other, null, new TestForm().patch(TestRun.root().identityOnly()).bytes()).status())
                .isEqualTo(202);
        foreignSession = UUID.fromString(as(other).get("/sessions?name=theirs").path("[0].id"));
    }

    @TestFactory
    Stream<DynamicTest> idsOfOtherWorkspacesRespondLikeUnknownIds() {
        return Stream.of(
                testCase("read a run", foreignRun.id(), id -> as(caller).get("/runs/" + id)),
                testCase("read a session", foreignSession, id -> as(caller).get("/sessions/" + id)),
                testCase("change a session", foreignSession,
                        id -> as(caller).contentType("application/json").body("{\"name\": \"mine\"}").patch("/sessions/" + id)),
                testCase("delete a session", foreignSession, id -> as(caller).delete("/sessions/" + id)),
                testCase("put a run into a session", foreignSession, id -> as(caller).contentType("application/json")
                        .body(TestRun.root().with("session_id", id.toString()).json()).post("/runs")),
                testCase("put a batch into a session", foreignSession, id -> as(caller).contentType("application/json")
                        .body(TestRun.json(Map.of("post",
                                List.of(TestRun.root().members(), TestRun.root().with("session_id", id.toString()).members()))))
                        .post("/runs/batch")));
    }

    @Test
    void listsExcludeOtherWorkspaces() {
        assertThat(as(caller).get("/sessions?id=" + foreignSession).asString()).isEqualTo("[]");
    }

    @Test
    void sameRunIdInTwoWorkspacesIsTwoRuns() {
        // Given
        String before = row();

        // When
        RawHttpResponse posted = RawHttpResponse.postForm(caller, null, TestForm.of(foreignRun.with("name", "mine")).bytes());
        as(caller).contentType("application/json").body("{\"name\": \"changed\"}").patch("/runs/" + foreignRun.id());

        // Then
        assertThat(posted.status()).isEqualTo(202);
        assertThat(as(caller).get("/runs/" + foreignRun.id()).<String> path("name")).isEqualTo("changed");
        assertThat(row()).isEqualTo(before);
    }

    @Test
    void tenantHeaderGrantsNoAccessToOtherWorkspaces() {
        as(caller).header("X-Tenant-Id", other.workspaceId()).get("/runs/" + foreignRun.id()).then().statusCode(403);
        as(caller).header("X-Tenant-Id", other.workspaceId()).get("/sessions").then().statusCode(403);
        as(caller).header("X-Tenant-Id", "mine").get("/sessions").then().statusCode(422);
    }

    @Test
    void organizationWideKeyMustNameAWorkspace() {
        // Given
        Account wide = Accounts.account().inWorkspaceOf(caller).organizationWide().create();

        // When
        Response unnamed = as(wide).get("/sessions");
        Response named = as(wide).header("X-Tenant-Id", caller.workspaceId()).get("/sessions");

        // Then
        unnamed.then().statusCode(403);
        named.then().statusCode(200);
    }

    @TestFactory
    Stream<DynamicTest> rowLevelSecurityHidesOtherWorkspaces() {
        return Stream.of("runs", "sessions", "early_patches", "attachments", "received_feedback")
                .map(table -> DynamicTest.dynamicTest(table, () -> {
                    // When
                    long visibleToOtherWorkspace = countVisible(table, caller.workspaceId());
                    long visibleToOwner = countVisible(table, other.workspaceId());
                    long visibleWithoutWorkspace = countVisible(table, null);

                    // Then
                    assertThat(visibleToOtherWorkspace).isZero();
                    assertThat(visibleToOwner).isPositive();
                    assertThat(visibleWithoutWorkspace).isZero();
                }));
    }

    // Uses the service's role and no condition on the workspace except that of row-level security.
    private long countVisible(String table, UUID setting) throws SQLException {
        try (Connection connection = Rows.asService()) {
            connection.setAutoCommit(false);
            if (setting != null) {
                Rows.value(connection, "SELECT set_config('waybill.tenant_id', ?, true)", setting.toString());
            }
            return Long.parseLong(Rows.value(connection,
                    "SELECT count(*) FROM trace." + table + " WHERE tenant_id::text = ?", other.workspaceId().toString()));
        }
    }

    private String row() {
        return Rows.value("SELECT row_to_json(r)::text FROM trace.runs r WHERE tenant_id = ? AND id = ?", other.workspaceId(),
                foreignRun.id());
    }

    private DynamicTest testCase(String name, UUID foreign, Function<UUID, Response> call) {
        return DynamicTest.dynamicTest(name, () -> {
            // Given
            UUID unknownId = UUID.randomUUID();

            // When
            Response toForeign = call.apply(foreign);
            Response toUnknown = call.apply(unknownId);

            // Then
            assertThat(toForeign.statusCode()).isEqualTo(404);
            assertThat(normalized(toForeign, foreign)).isEqualTo(normalized(toUnknown, unknownId));
        });
    }

    private static String normalized(Response response, UUID id) {
        return response.statusCode()
                + response.asString().replace(id.toString(), "ID").replaceAll("\"request_id\":\"[^\"]*\"", "");
    }
}
