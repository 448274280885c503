package dev.waybill.export.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.api.export.CreateBulkExportRequest;
import dev.waybill.common.problem.Violation;
import dev.waybill.export.parquet.Compression;
import dev.waybill.export.parquet.FormatVersion;

class CreateBulkExportValidatorTest {

    private static final Instant START = Instant.parse("2026-01-05T00:00:00Z");
    private static final Instant END = Instant.parse("2026-01-06T00:00:00Z");

    private final CreateBulkExportValidator rules = new CreateBulkExportValidator(end -> Optional.empty(),
            start -> Optional.empty());

    @Test
    void defaultsAreParquetV1GzipAndAllFields() {
        // When
        ExportSpec order = rules.spec(request(END, null, null, null, null, null, null));

        // Then
        assertThat(order.version()).isEqualTo(FormatVersion.V1);
        assertThat(order.compression()).isEqualTo(Compression.GZIP);
        assertThat(order.exportFields()).isNull();
    }

    @Test
    void allViolationsAreReported() {
        // Given
        CreateBulkExportRequest request = request(START, null, null, List.of("id", "secret", "id"), "CSV", "v3", "lz4");

        // When
        List<Violation> violations = violations(request);

        // Then
        assertThat(violations).extracting(Violation::path).containsExactlyInAnyOrder("format", "format_version",
                "compression", "export_fields[1]", "export_fields[2]", "end_time");
        assertThat(violations).extracting(Violation::message)
                .contains("secret is not an exportable field", "id is named more than once", "must be after start_time");
    }

    @Test
    void oneOffExportRequiresEndTime() {
        // When
        List<Violation> violations = violations(request(null, null, null, null, null, null, null));

        // Then
        assertThat(violations).containsExactly(
                Violation.of("end_time", "is required for a one-off export", "missing"));
    }

    @Test
    void scheduledExportRejectsEndTime() {
        // When
        List<Violation> violations = violations(request(END, null, 6, null, null, null, null));

        // Then
        assertThat(violations).extracting(Violation::path).containsExactly("end_time");
    }

    @ParameterizedTest
    @ValueSource(ints = { Integer.MIN_VALUE, -1, 0, 169 })
    void intervalIsOneHourToOneWeek(int hours) {
        // When
        List<Violation> violations = violations(request(null, null, hours, null, null, null, null));

        // Then
        assertThat(violations).extracting(Violation::path).containsExactly("interval_hours");
    }

    @Test
    void scheduleStartsWithItsFirstWindow() {
        // When
        ExportSpec order = rules.spec(request(null, null, 6, null, null, null, null));

        // Then
        assertThat(order.intervalHours()).isEqualTo(6);
        assertThat(order.endTime()).isEqualTo(START.plusSeconds(6 * 3600));
    }

    @Test
    void allViolationsOfAScheduleAreReported() {
        // Given
        CreateBulkExportValidator strict = new CreateBulkExportValidator(end -> Optional.empty(),
                start -> Optional.of(Violation.of("start_time", "lies too far back", "too_long")));

        // When
        List<Violation> violations = strict.violations(request(END, null, 169, List.of("secret"), "CSV", null, null),
                Set.of());

        // Then
        assertThat(violations).extracting(Violation::path).containsExactlyInAnyOrder("format", "export_fields[0]",
                "interval_hours", "end_time", "start_time");
    }

    @Test
    void timesAreNotValidatedWhenUnreadable() {
        // When
        List<Violation> violations = rules.violations(request(null, null, null, null, "CSV", null, null),
                Set.of("interval_hours"));

        // Then
        assertThat(violations).extracting(Violation::path).containsExactly("format");
    }

    @Test
    void filterIsStoredUnchanged() {
        // When
        ExportSpec order = rules.spec(request(END, " eq( run_type,'llm') ", null, null, null, null, null));

        // Then
        assertThat(order.filter()).isEqualTo(" eq( run_type,'llm') ");
    }

    @Test
    void invalidFilterIsReportedWithItsPosition() {
        // When
        List<Violation> violations = violations(request(START, "gt(total_tokens, 'many')", null, List.of("secret"), null, null,
                null));

        // Then
        assertThat(violations).extracting(Violation::path).containsExactlyInAnyOrder("filter", "end_time",
                "export_fields[0]");
        assertThat(violations).contains(new Violation(List.of("filter"),
                "expects a number at character 18, but found \"many\"", "filter_syntax",
                Map.of("position", 18, "expected", "a number")));
    }

    @Test
    void unstorableFilterCharactersAreReplaced() {
        // When
        ExportSpec order = rules.spec(request(END, "eq(name, 'a\0b\ud800')", null, null, null, null, null));

        // Then
        assertThat(order.filter()).isEqualTo("eq(name, 'a\ufffdb\ufffd')");
    }

    @Test
    void emptyFieldListIsRejected() {
        // When
        List<Violation> violations = violations(request(END, null, null, List.of(), null, null, null));

        // Then
        assertThat(violations).extracting(Violation::path).containsExactly("export_fields");
    }

    private List<Violation> violations(CreateBulkExportRequest request) {
        return rules.violations(request, Set.of());
    }

    private static CreateBulkExportRequest request(@Nullable Instant end, @Nullable String filter, @Nullable Integer interval,
            @Nullable List<String> fields, @Nullable String format, @Nullable String version, @Nullable String compression) {
        return new CreateBulkExportRequest(UUID.randomUUID(), UUID.randomUUID(), START, end, filter, interval, fields, format,
                version, compression);
    }
}
