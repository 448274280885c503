package dev.waybill.export;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.AuditLogCapture;
import dev.waybill.common.testing.JsonLog;
import dev.waybill.common.testing.Patience;

/** Tests the JSON log (docs/operations/observability.md "Logs"). */
@ExportServiceTest
class JsonLogTest {

    @Test
    void logLinesOfAnExportHaveItsId() {
        // Given
        Account account = Accounts.account().create();
        Exports exports = Exports.create(account);

        // When
        UUID export;
        try (AuditLogCapture ignored = AuditLogCapture.listen()) {
            export = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");
        }

        // Then
        Patience.await().until(() -> lines(export, "export completed").size() == 1);
        JsonNode ordered = lines(export, "a request to change something has ended").getFirst();
        assertThat(ordered.at("/mdc/tenant_id").textValue()).isEqualTo(account.workspaceId().toString());
        assertThat(ordered.at("/mdc/request_id").textValue()).isNotBlank();
        assertThat(ordered.path("service").textValue()).isEqualTo("export-service");
        assertThat(ordered.path("level").textValue()).isEqualTo("INFO");
        Patience.await().until(() -> !lines(export, "attempt ended").isEmpty());
        assertThat(lines(export, "attempt ended")).singleElement().satisfies(line -> {
            assertThat(line.at("/mdc/export_id").textValue()).isEqualTo(export.toString());
            assertThat(line.at("/mdc/tenant_id").textValue()).isEqualTo(account.workspaceId().toString());
            assertThat(line.at("/mdc/run_id").textValue()).isNotBlank();
            assertThat(line.at("/mdc/outcome").textValue()).isEqualTo("completed");
            assertThat(line.at("/timestamp").textValue()).endsWith("Z");
        });
        assertThat(JsonLog.text()).doesNotContain(account.key(), ExportSettings.OLD_KEY);
    }

    private static List<JsonNode> lines(UUID export, String sentence) {
        return JsonLog.linesWith(export.toString()).stream()
                .filter(line -> line.path("message").asText().startsWith(sentence))
                .toList();
    }
}
