package dev.waybill.common.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.Level;
import org.junit.jupiter.api.Test;

class IdFieldsTest {

    @Test
    void idsInMessagesOfTheServiceBecomeFields() {
        assertThat(fields("dev.waybill.x.Y", "an attempt ended: tenant_id=t-1 export_id=e-1, run_id=r-1 attempt=2 seconds=0.5"))
                .isEqualTo(Map.of("tenant_id", "t-1", "export_id", "e-1", "run_id", "r-1", "attempt", "2"));
    }

    @Test
    void messagesOfLibrariesAreIgnored() {
        assertThat(fields("org.example.Library", "tenant_id=t-1")).isEmpty();
    }

    @Test
    void firstOfTwoValuesWins() {
        assertThat(fields("dev.waybill.Y", "it failed: export_id=e-1 reason=he said export_id=e-2"))
                .isEqualTo(Map.of("export_id", "e-1"));
    }

    @Test
    void otherKeyValuePairsAreIgnored() {
        assertThat(fields("dev.waybill.Y", "see https://example.com/?tenant_id=a&b=\"c\" not.run_id=5 run_id={7}")).isEmpty();
    }

    @Test
    void mdcTakesPrecedenceOverTheMessage() {
        // Given
        ExtLogRecord line = line("dev.waybill.Y", "tenant_id=t-2");
        line.putMdc("tenant_id", "t-1");

        // When
        new IdFields().isLoggable(line);

        // Then
        assertThat(line.getMdcCopy()).containsEntry("tenant_id", "t-1");
    }

    private static Map<String, String> fields(String logger, String text) {
        ExtLogRecord line = line(logger, text);
        assertThat(new IdFields().isLoggable(line)).isTrue();
        return line.getMdcCopy();
    }

    private static ExtLogRecord line(String logger, String text) {
        ExtLogRecord line = new ExtLogRecord(Level.INFO, text, IdFieldsTest.class.getName());
        line.setLoggerName(logger);
        line.setMdc(Map.of());
        return line;
    }
}
