package dev.waybill.export.job;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.CreateBulkExportRequest;
import dev.waybill.common.filter.FilterMembers;
import dev.waybill.common.filter.FilterParser;
import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.export.parquet.Compression;
import dev.waybill.export.parquet.ExportField;
import dev.waybill.export.parquet.FormatVersion;
import dev.waybill.export.run.ExportRunService;

/** Validates requests to create an export (contract.md "Bulk export") and collects all violations. */
@Singleton
class CreateBulkExportValidator implements BodyValidator<CreateBulkExportRequest> {

    static final String FORMAT = "Parquet";
    // A longer list must contain unknown or repeated names; the limit bounds the size of the response.
    private static final int MAX_CHECKED_FIELDS = 1_000;
    private static final int MAX_INTERVAL_HOURS = 168;

    private final Function<Instant, Optional<Violation>> endRule;
    private final Function<Instant, Optional<Violation>> ageRule;

    @Inject
    CreateBulkExportValidator(ExportRunService runs) {
        this(runs::checkRangeEnd, runs::checkScheduleStart);
    }

    /**
     * Creates rules with the given checks.
     *
     * @param endRule returns the violation of a range's end, if any
     * @param ageRule returns the violation of a schedule's start, if any
     */
    CreateBulkExportValidator(Function<Instant, Optional<Violation>> endRule, Function<Instant, Optional<Violation>> ageRule) {
        this.endRule = endRule;
        this.ageRule = ageRule;
    }

    @Override
    public Class<CreateBulkExportRequest> type() {
        return CreateBulkExportRequest.class;
    }

    @Override
    public List<Violation> violations(CreateBulkExportRequest request, Set<String> unread) {
        List<Violation> violations = new ArrayList<>();
        if (!request.formatOrDefault().equals(FORMAT)) {
            violations.add(unknown("format", request.formatOrDefault(), FORMAT));
        }
        if (FormatVersion.of(request.formatVersionOrDefault()).isEmpty()) {
            violations.add(unknown("format_version", request.formatVersionOrDefault(), "v1 or v2_beta"));
        }
        if (Compression.of(request.compressionOrDefault()).isEmpty()) {
            violations.add(unknown("compression", request.compressionOrDefault(), "none, gzip, snappy or zstandard"));
        }
        checkFields(request.exportFields(), violations);
        if (!unread.contains("interval_hours") && !unread.contains("end_time")) {
            checkTimes(request, violations);
        }
        checkFilter(request.filter(), violations);
        return violations;
    }

    /** Converts a request without violations. */
    ExportSpec spec(CreateBulkExportRequest request) {
        String filter = request.filter();
        return new ExportSpec(request.bulkExportDestinationId(), request.sessionId(), request.startTime(), firstEnd(request),
                request.intervalHours(), FormatVersion.of(request.formatVersionOrDefault()).orElseThrow(),
                Compression.of(request.compressionOrDefault()).orElseThrow(), request.exportFields(),
                filter == null ? null : FilterParser.storable(filter));
    }

    /**
     * Validates the range of a backfill.
     *
     * @throws ProblemException 422
     */
    void checkRange(Instant startTime, Instant endTime) {
        List<Violation> violations = new ArrayList<>();
        checkRange(startTime, endTime, violations);
        ProblemException.throwIfAny(violations);
    }

    // Returns the end of the range, or of a schedule's first window.
    private static Instant firstEnd(CreateBulkExportRequest request) {
        Integer hours = request.intervalHours();
        return hours == null
                ? Objects.requireNonNull(request.endTime())
                : request.startTime().plus(hours, ChronoUnit.HOURS);
    }

    private void checkTimes(CreateBulkExportRequest request, List<Violation> violations) {
        @Nullable
        Instant startTime = request.startTime();
        Instant endTime = request.endTime();
        if (request.intervalHours() != null) {
            checkSchedule(request.intervalHours(), endTime, violations);
            Optional.ofNullable(startTime).flatMap(ageRule).ifPresent(violations::add);
        } else if (endTime == null) {
            violations.add(Violation.of("end_time", "is required for a one-off export", "missing"));
        } else if (startTime != null) {
            checkRange(startTime, endTime, violations);
        }
    }

    private void checkRange(Instant startTime, Instant endTime, List<Violation> violations) {
        if (!endTime.isAfter(startTime)) {
            violations.add(Violation.of("end_time", "must be after start_time", "invalid"));
        }
        endRule.apply(endTime).ifPresent(violations::add);
    }

    private static void checkSchedule(int intervalHours, @Nullable Instant endTime, List<Violation> violations) {
        if (intervalHours < 1 || intervalHours > MAX_INTERVAL_HOURS) {
            violations.add(Violation.of("interval_hours", "must be a whole number from 1 to 168", "invalid"));
        }
        if (endTime != null) {
            violations.add(Violation.of("end_time", "must be omitted for a scheduled export", "forbidden"));
        }
    }

    private static void checkFields(@Nullable List<String> fields, List<Violation> violations) {
        if (fields == null) {
            return;
        }
        if (fields.isEmpty()) {
            violations.add(
                    Violation.of("export_fields", "must name at least one field; omit it to export all fields", "invalid"));
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < Math.min(fields.size(), MAX_CHECKED_FIELDS); i++) {
            String field = fields.get(i);
            if (ExportField.of(field).isEmpty()) {
                violations.add(new Violation(List.of("export_fields", i), shown(field) + " is not an exportable field",
                        "unknown"));
            } else if (!seen.add(field)) {
                violations.add(new Violation(List.of("export_fields", i), field + " is named more than once", "repeated"));
            }
        }
    }

    // Validates the stored form, which is what responses and the manifest contain.
    private static void checkFilter(@Nullable String filter, List<Violation> violations) {
        FilterMembers.read("filter", filter == null ? null : FilterParser.storable(filter), violations);
    }

    private static Violation unknown(String member, String value, String known) {
        return Violation.of(member, "must be " + known + ", not " + shown(value), "unknown");
    }

    // Truncates long input, so that it does not inflate the response.
    private static String shown(String text) {
        return text.length() <= 100 ? text : text.substring(0, 100) + "…";
    }
}
