package dev.waybill.export.job;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.common.testing.Accounts;
import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import io.restassured.response.Response;

/** Filters of the list of exports. */
@ExportServiceTest
class BulkExportListTest {

    private static final Duration DAY = Duration.ofDays(1);

    private Exports exports;

    // Not a field initializer: the service must be listening.
    @BeforeEach
    void open() {
        exports = Exports.create();
    }

    @Test
    void listHasOnlyExportsWithTheStatus() {
        // Given
        UUID completed = exports.complete(MONDAY, MONDAY.plus(DAY), "");
        UUID schedule = schedule();

        // When / Then
        assertListed("status=Completed", completed);
        assertListed("status=IntervalScheduled", schedule);
        assertListed("status=Failed");
    }

    @Test
    void pausedSelectsPausedSchedules() {
        // Given
        UUID completed = exports.complete(MONDAY, MONDAY.plus(DAY), "");
        UUID running = schedule();
        UUID paused = schedule();
        UUID cancelled = schedule();
        for (UUID schedule : List.of(paused, cancelled)) {
            Traces.execute("UPDATE export.bulk_exports SET paused_at = now(), pause_reason = 'test' WHERE id = ?", schedule);
        }
        exports.client().cancel(cancelled);

        // When / Then
        assertListed("paused=true", paused);
        assertListed("paused=false", cancelled, running, completed);
        assertListed("status=IntervalScheduled&paused=false", running);
    }

    @Test
    void windowSelectsExportsOfSchedules() {
        // Given
        UUID single = exports.start(MONDAY, MONDAY.plus(DAY), "");
        UUID schedule = schedule();
        UUID backfill = exports.start(MONDAY, MONDAY.plus(DAY), "");
        UUID window = exports.start(MONDAY, MONDAY.plus(DAY), "");
        Traces.execute("UPDATE export.bulk_exports SET source_bulk_export_id = ? WHERE id = ?", schedule, backfill);
        Traces.execute("UPDATE export.bulk_exports SET source_bulk_export_id = ?, window_number = 1 WHERE id = ?", schedule,
                window);

        // When / Then
        assertListed("window=true", window);
        assertListed("window=false", backfill, schedule, single);
        assertListed("window=false&status=IntervalScheduled", schedule);
    }

    @Test
    void listHasOnlyExportsOfTheProjectAndDestination() {
        // Given
        UUID first = exports.start(MONDAY, MONDAY.plus(DAY), "");
        Exports other = Exports.create(exports.client().account());
        UUID second = other.start(MONDAY, MONDAY.plus(DAY), "");
        UUID third = new Exports(exports.client(), exports.tenantId(), exports.sessionId(), other.destinationId(), "")
                .start(MONDAY, MONDAY.plus(DAY), "");

        // When / Then
        assertListed("session_id=" + exports.sessionId(), third, first);
        assertListed("destination_id=" + other.destinationId(), third, second);
        assertListed("session_id=" + exports.sessionId() + "&destination_id=" + other.destinationId(), third);
        assertListed("session_id=" + UUID.randomUUID());
    }

    @Test
    void pageAndTotalCountMatchingExportsOnly() {
        // Given
        exports.complete(MONDAY, MONDAY.plus(DAY), "");
        UUID first = schedule();
        schedule();

        // When
        Response page = exports.client().get(Client.EXPORTS + "?status=IntervalScheduled&limit=1&offset=1");

        // Then
        assertThat(page.jsonPath().getList("id")).containsExactly(first.toString());
        assertThat(page.header("X-Pagination-Total")).isEqualTo("2");
    }

    @Test
    void idsOfAnotherWorkspaceMatchNothing() {
        // Given
        Exports theirs = Exports.create(Accounts.account().inOrganizationOf(exports.client().account()).create());
        theirs.start(MONDAY, MONDAY.plus(DAY), "");

        // When / Then
        assertListed("session_id=" + theirs.sessionId());
        assertListed("destination_id=" + theirs.destinationId());
    }

    @ParameterizedTest
    @CsvSource({ "status=completed, status", "status=Paused, status", "status=Completed%2CFailed, status", "paused=1, paused",
            "window=all, window", "session_id=x, session_id", "destination_id=%00, destination_id" })
    void invalidFilterIsDescribed(String query, String parameter) {
        // When
        Response response = exports.client().get(Client.EXPORTS + "?" + query);

        // Then
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(422);
        assertThat((String) response.path("errors[0].loc[0]")).isEqualTo(parameter);
    }

    @Test
    void allInvalidParametersAreReportedTogether() {
        // When
        Response response = exports.client()
                .get(Client.EXPORTS + "?status=x&paused=x&window=x&session_id=x&destination_id=x&limit=x&offset=x");

        // Then
        assertThat(response.statusCode()).isEqualTo(422);
        assertThat(response.jsonPath().<List<String>> getList("errors.loc")).containsExactly(List.of("status"),
                List.of("paused"), List.of("window"), List.of("session_id"), List.of("destination_id"), List.of("limit"),
                List.of("offset"));
    }

    private UUID schedule() {
        return exports.start(Instant.now().plus(DAY), null, ", \"interval_hours\": 6");
    }

    private void assertListed(String query, UUID... expected) {
        Response response = exports.client().get(Client.EXPORTS + "?" + query);
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(200);
        assertThat(response.jsonPath().getList("id", UUID.class)).as(query).containsExactly(expected);
        assertThat(response.header("X-Pagination-Total")).isEqualTo(String.valueOf(expected.length));
    }
}
