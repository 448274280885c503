package dev.waybill.export.preview;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.api.export.BulkExportPreviewResponse;
import dev.waybill.common.api.export.CreateBulkExportRequest;
import dev.waybill.common.limit.Bulkhead;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.export.job.BulkExportService;
import dev.waybill.export.job.BulkExportService.ValidatedExport;
import dev.waybill.export.job.ExportSpec;
import dev.waybill.export.parquet.Compression;
import dev.waybill.export.parquet.ExportedSession;
import dev.waybill.export.parquet.RunFormatter.FormattedField;
import dev.waybill.export.run.ExportRunService;
import dev.waybill.export.run.FileLimits;
import io.smallrye.mutiny.Uni;

/** Computes the preview of an export without creating anything. */
@Singleton
class PreviewService {

    private static final int MAX_PER_WORKSPACE = 1;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final BulkExportService orders;
    private final Bulkhead bulkhead;
    private final RunCounter counter;
    private final RunSampler sampler;
    private final BlockSampler blocks;
    private final FileLimits limits;
    private final ObjectMapper json;

    PreviewService(BulkExportService orders, PreviewConfig config, RunCounter counter, RunSampler sampler,
            BlockSampler blocks,
            FileLimits limits, ObjectMapper json) {
        this.orders = orders;
        this.bulkhead = new Bulkhead(config.maxConcurrent(), MAX_PER_WORKSPACE, PreviewService::tooManyPreviews);
        this.counter = counter;
        this.sampler = sampler;
        this.blocks = blocks;
        this.limits = limits;
        this.json = json;
    }

    /** Returns the preview of an export; fails with the errors that creating the export would return. */
    Uni<BulkExportPreviewResponse> preview(UUID tenantId, CreateBulkExportRequest request) {
        return orders.validate(tenantId, request)
                .chain(checked -> bulkhead.execute(tenantId, () -> compute(tenantId, checked)));
    }

    // A preview reads as fast as PostgreSQL allows.
    private static ProblemException tooManyPreviews() {
        return new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                "Another preview is in progress; retry when it has ended.").retryAfter(RETRY_AFTER);
    }

    private Uni<BulkExportPreviewResponse> compute(UUID tenantId, ValidatedExport checked) {
        ExportSpec order = checked.spec();
        ExportedSession session = new ExportedSession(tenantId, order.sessionId(), checked.sessionName());
        return Uni.combine().all().unis(counter.count(tenantId, order), sampler.sample(order, session)).asTuple()
                .chain(found -> estimate(order, session, found.getItem1(), found.getItem2())
                        .map(bytes -> response(order, found.getItem1(), found.getItem2(), bytes)));
    }

    // If the first runs are all runs, their files are the export's files.
    private Uni<Optional<ByteEstimate>> estimate(ExportSpec order, ExportedSession session, Optional<RangeStatistics> range,
            RunSample sample) {
        long days = ExportRunService.days(order.startTime(), order.endTime());
        Optional<ByteEstimate> ofFirst = sample.estimateRows(range).flatMap(rows -> sample.estimateBytes(rows, days));
        boolean isUnmeasured = range.map(RangeStatistics::groups).orElse(List.of()).isEmpty();
        if (sample.isComplete() || isUnmeasured) {
            return Uni.createFrom().item(ofFirst);
        }
        RangeStatistics measured = range.orElseThrow();
        return blocks.sample(order, session, measured.groups())
                .map(samples -> ByteEstimate.of(measured.groups(), samples, measured.days(),
                        order.compression() != Compression.NONE, limits.maxRowGroupBytes() / 2.0).or(() -> ofFirst));
    }

    private BulkExportPreviewResponse response(ExportSpec order, Optional<RangeStatistics> range, RunSample sample,
            Optional<ByteEstimate> bytes) {
        Optional<RowCount> count = sample.estimateRows(range);
        long days = ExportRunService.days(order.startTime(), order.endTime());
        return new BulkExportPreviewResponse(order.startTime(), order.endTime(), days,
                count.map(RowCount::rows).orElse(null), count.map(RowCount::isExact).orElse(false),
                bytes.map(ByteEstimate::bytes).orElse(null), bytes.map(ByteEstimate::low).orElse(null),
                bytes.map(ByteEstimate::high).orElse(null),
                range.filter(counted -> counted.slices().isEmpty() || !counted.groups().isEmpty())
                        .map(RangeStatistics::truncatedRows).orElse(null),
                sample.shown().stream().map(this::run).toList(), truncated(sample),
                count.isEmpty() || sample.stopReason() == RunSample.StopReason.TIMED_OUT);
    }

    private Map<String, @Nullable Object> run(List<FormattedField> fields) {
        Map<String, @Nullable Object> run = new LinkedHashMap<>();
        fields.forEach(field -> run.put(field.name(), value(field)));
        return run;
    }

    private @Nullable Object value(FormattedField field) {
        String text = field.text();
        try {
            return text != null && field.isJson() ? json.readTree(text) : text;
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> truncated(RunSample sample) {
        return sample.shown().stream()
                .flatMap(List::stream)
                .filter(FormattedField::isTruncated)
                .map(FormattedField::name)
                .distinct()
                .toList();
    }
}
