package dev.waybill.export.destination;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import dev.waybill.common.database.Database;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import io.restassured.response.Response;

/** Threat T11: every operation on a destination, with another workspace's id and with an unknown one. */
@ExportServiceTest
class DestinationTenantIsolationTest {

    private static final String PATH = "/api/v1/bulk-exports/destinations";

    private final Account mine = Accounts.account().create();
    private final Account neighbour = Accounts.account().inOrganizationOf(mine).create();

    @Inject
    DestinationOpener destinations;

    @Inject
    Database database;

    @TestFactory
    Stream<DynamicTest> foreignIdsReturnTheSame404AsUnknownIds() {
        return Stream.of(
                operation("get", (client, id) -> client.get(PATH + "/" + id)),
                operation("update", (client, id) -> client.patch(PATH + "/" + id, DestinationBody.valid().update())),
                operation("test", (client, id) -> client.post(PATH + "/" + id + "/test", "")),
                operation("delete", (client, id) -> client.delete(PATH + "/" + id)),
                operation("export", (client, id) -> client.post("/api/v1/bulk-exports", """
                        {"bulk_export_destination_id": "%s", "session_id": "%s", "start_time": "2026-01-01T00:00:00Z",
                         "end_time": "2026-01-02T00:00:00Z"}""".formatted(id, UUID.randomUUID()))));
    }

    @Test
    void listsContainOwnDestinationsOnly() {
        // Given
        UUID foreign = create(neighbour);
        UUID own = create(mine);

        // When
        Response list = Client.as(mine).get(PATH);

        // Then
        assertThat((List<String>) list.path("id")).containsExactly(own.toString()).doesNotContain(foreign.toString());
    }

    @Test
    void openWithTheWrongWorkspaceFails() {
        // Given
        UUID foreign = create(neighbour);

        // When
        Throwable failure = destinations.open(mine.workspaceId(), foreign)
                .<Throwable> replaceWith(() -> null)
                .onFailure().recoverWithItem(e -> e)
                .await().indefinitely();

        // Then
        assertThat(failure).isInstanceOf(ProblemException.class);
    }

    @Test
    void rowLevelSecurityHidesForeignRows() {
        // Given
        UUID foreign = create(neighbour);
        create(mine);

        // When
        List<UUID> seen = database.inWorkspace(mine.workspaceId(),
                sql -> sql.query("SELECT id FROM export.destinations").execute()
                        .map(rows -> java.util.stream.StreamSupport.stream(rows.spliterator(), false)
                                .map(row -> row.getUUID("id")).toList()))
                .await().indefinitely();
        int changed = database.inWorkspace(mine.workspaceId(),
                sql -> sql.query("UPDATE export.destinations SET display_name = 'taken' WHERE id = '" + foreign + "'").execute()
                        .map(rows -> rows.rowCount()))
                .await().indefinitely();

        // Then
        assertThat(seen).hasSize(1).doesNotContain(foreign);
        assertThat(changed).isZero();
    }

    private DynamicTest operation(String name, BiFunction<Client, UUID, Response> call) {
        return DynamicTest.dynamicTest(name, () -> {
            // Given
            List<UUID> ids = List.of(create(neighbour), UUID.randomUUID());

            // When
            List<Response> responses = ids.stream().map(id -> call.apply(Client.as(mine), id)).toList();

            // Then
            assertThat(responses).extracting(Response::statusCode).containsExactly(404, 404);
            assertThat(responses.get(0).<String> path("detail").replace(ids.get(0).toString(), "ID"))
                    .isEqualTo(responses.get(1).<String> path("detail").replace(ids.get(1).toString(), "ID"));
            assertThat(Client.as(neighbour).get(PATH + "/" + ids.getFirst()).statusCode()).isEqualTo(200);
        });
    }

    private static UUID create(Account account) {
        return UUID.fromString(Client.as(account).post(PATH, DestinationBody.valid().json()).path("id"));
    }
}
