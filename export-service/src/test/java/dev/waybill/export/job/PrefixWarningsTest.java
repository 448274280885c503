package dev.waybill.export.job;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Accounts;
import dev.waybill.export.Bucket;
import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import io.restassured.response.Response;

/** Exports whose files cannot be read together with existing ones under the same prefix. */
@ExportServiceTest
class PrefixWarningsTest {

    private static final String V2 = ", \"format_version\": \"v2_beta\"";

    private Exports exports;

    // Not a field initializer: the service must be listening.
    @BeforeEach
    void open() {
        exports = Exports.create();
    }

    @Test
    void twoVersionsUnderOnePrefixCauseWarning() {
        // Given
        assertThat(warnings(order(exports, ""))).isEmpty();
        assertThat(warnings(order(exports, ""))).isEmpty();

        // When
        Response created = order(exports, V2);

        // Then
        assertThat(warnings(created)).containsExactly(BulkExportRepository.OTHER_VERSION);
        assertThat(warnings(exports.client().export(UUID.fromString(created.path("id")))))
                .containsExactly(BulkExportRepository.OTHER_VERSION);
    }

    @Test
    void otherFieldsUnderOnePrefixCauseWarning() {
        // Given
        assertThat(warnings(order(exports, V2 + ", \"export_fields\": [\"id\", \"name\"]"))).isEmpty();

        // When
        Response otherOrder = order(exports, V2 + ", \"export_fields\": [\"name\", \"id\"]");
        Response all = order(exports, V2);

        // Then
        assertThat(warnings(otherOrder)).isEmpty();
        assertThat(warnings(all)).containsExactly(BulkExportRepository.OTHER_FIELDS);
    }

    @Test
    void anotherDestinationWithSamePrefixCausesWarning() {
        // Given
        order(exports, "");
        Response destination = exports.client().post(Client.EXPORTS + "/destinations",
                Bucket.destination(exports.prefix(), false));

        // When
        Response created = order(new Exports(exports.client(), exports.tenantId(), exports.sessionId(),
                UUID.fromString(destination.path("id")), exports.prefix()), V2);

        // Then
        assertThat(warnings(created)).containsExactly(BulkExportRepository.OTHER_VERSION);
    }

    @Test
    void otherPrefixesAndWorkspacesCauseNoWarning() {
        // Given: the same prefix and bucket
        order(exports, "");
        Exports neighbour = Exports.create(Accounts.account().create(), exports.prefix(),
                Bucket.destination(exports.prefix(), false));
        Response destination = exports.client().post(Client.EXPORTS + "/destinations",
                Bucket.destination(exports.prefix() + "/v2", false));

        // When
        Response foreign = order(neighbour, V2);
        Response elsewhere = order(new Exports(exports.client(), exports.tenantId(), exports.sessionId(),
                UUID.fromString(destination.path("id")), exports.prefix()), V2);

        // Then
        assertThat(warnings(foreign)).isEmpty();
        assertThat(warnings(elsewhere)).isEmpty();
    }

    @Test
    void schedulesAndBackfillsHaveWarnings() {
        // Given
        Response schedule = exports.post(exports.order(Instant.now(), null, ", \"interval_hours\": 24"));
        assertThat(warnings(schedule)).isEmpty();

        // When
        Response second = exports.post(exports.order(Instant.now(), null, ", \"interval_hours\": 24" + V2));
        Response backfill = exports.client().post(Client.EXPORTS + "/" + second.path("id") + "/backfill",
                "{\"start_time\": \"2026-01-05T00:00:00Z\", \"end_time\": \"2026-01-06T00:00:00Z\"}");

        // Then
        assertThat(warnings(second)).containsExactly(BulkExportRepository.OTHER_VERSION);
        assertThat(warnings(backfill)).containsExactly(BulkExportRepository.OTHER_VERSION);
    }

    private static Response order(Exports from, String more) {
        Response created = from.post(from.order(MONDAY, MONDAY.plus(Duration.ofDays(1)), more));
        assertThat(created.statusCode()).as(created.asString()).isEqualTo(200);
        return created;
    }

    private static List<String> warnings(Response response) {
        return response.path("warnings");
    }
}
