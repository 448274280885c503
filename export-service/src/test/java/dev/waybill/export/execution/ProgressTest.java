package dev.waybill.export.execution;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.LogLines;
import dev.waybill.common.testing.Management;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import dev.waybill.export.execution.CrashPoint.Step;
import io.restassured.response.Response;
import io.smallrye.config.SmallRyeConfigBuilder;

/** Progress, logs and metrics of exports and attempts. */
@ExportServiceTest
class ProgressTest {

    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration LONG = Duration.ofMinutes(2);

    @Inject
    ExecutionMetrics metrics;

    private final CountDownLatch goOn = new CountDownLatch(1);
    private Exports exports;

    @BeforeEach
    void open() {
        exports = Exports.create();
    }

    @AfterEach
    void close() {
        goOn.countDown();
        TestCrashPoint.disarm();
    }

    @Test
    void progressIsVisibleBeforeCompletion() {
        // Given: two days, one of which is blocked before its files are committed.
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 100);
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY.plus(DAY), Duration.ofMinutes(1), 100);
        TestCrashPoint.once(exports.tenantId(), Step.PARTS_UPLOADED, this::awaitTest);

        // When
        UUID id = exports.start(MONDAY, MONDAY.plus(DAY.multipliedBy(2)), "");

        // Then
        await().untilAsserted(() -> {
            Response export = exports.client().export(id);
            assertThat((String) export.path("status")).isEqualTo("Running");
            assertThat((int) export.path("progress.runs_total")).isEqualTo(2);
            assertThat((int) export.path("progress.runs_completed")).isEqualTo(1);
            assertThat((int) export.path("progress.rows_exported")).isEqualTo(200);
        });
        long shown = bytes(id);
        assertThat(shown).isGreaterThan(completedBytes(id));
        goOn.countDown();
        exports.awaitStatus(id, "Completed");
        // The progress includes all rows but may exclude the last bytes of the file.
        assertThat(bytes(id)).isGreaterThanOrEqualTo(shown).isEqualTo(completedBytes(id));
    }

    @Test
    void progressIsStoredEveryTenSeconds() {
        ExecutionConfig defaults = new SmallRyeConfigBuilder().addDiscoveredConverters().withMapping(ExecutionConfig.class)
                .build().getConfigMapping(ExecutionConfig.class);

        assertThat(defaults.leaseTiming().renewal()).isLessThanOrEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void attemptIsLoggedOnceAndMetricsNameNoTenant() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 100);
        double rows = metric("waybill_export_rows_total");
        double bytes = metric("waybill_export_bytes_total");
        double completed = metric("waybill_export_attempts_total{code=\"none\",outcome=\"completed\"}");
        double retried = metric("waybill_export_attempts_total{code=\"internal\",outcome=\"retry\"}");
        TestCrashPoint.once(exports.tenantId(), Step.PARTS_UPLOADED, () -> {
            throw new IllegalStateException("injected");
        });

        // When
        List<String> lines;
        UUID id;
        try (LogLines log = LogLines.listen()) {
            UUID made = exports.complete(MONDAY, MONDAY.plus(DAY), "");
            // The line is logged after the run has changed, possibly after the export has.
            lines = await().until(() -> attempts(log, made), found -> found.size() >= 2);
            id = made;
        }

        // Then
        String run = exports.client().runs(id).path("[0].id");
        String keys = "tenant_id=" + exports.tenantId() + " export_id=" + id + " run_id=" + run;
        assertThat(lines).satisfiesExactly(
                first -> assertThat(first).containsPattern(keys + " attempt=1 outcome=retry code=internal rows=100"
                        + " bytes=[1-9]\\d* seconds=\\d+\\.\\d{3}"),
                second -> assertThat(second).containsPattern(keys + " attempt=2 outcome=completed code=none rows=100"
                        + " bytes=[1-9]\\d* seconds=\\d+\\.\\d{3}"));
        await().until(() -> metric("waybill_export_rows_total") - rows >= 200);
        assertThat(metric("waybill_export_bytes_total") - bytes).isGreaterThanOrEqualTo(2 * bytes(id) * 0.9);
        await().until(() -> metric("waybill_export_attempts_total{code=\"none\",outcome=\"completed\"}") > completed);
        assertThat(metric("waybill_export_attempts_total{code=\"internal\",outcome=\"retry\"}") - retried)
                .isGreaterThanOrEqualTo(1);
        String all = Management.get("/q/metrics");
        assertThat(all).doesNotContain(exports.tenantId().toString(), id.toString(), run, exports.prefix());
    }

    @Test
    void waitingExportsAreMeasured() {
        // Given: a running export that was created hours ago.
        Traces.run(exports.tenantId(), exports.sessionId(), MONDAY);
        TestCrashPoint.once(exports.tenantId(), Step.PARTS_UPLOADED, this::awaitTest);
        UUID id = exports.start(MONDAY, MONDAY.plus(DAY), "");
        exports.awaitRun(id, "[0].status", "Running");
        Traces.execute("UPDATE export.bulk_exports SET created_at = now() - interval '3 hours' WHERE id = ?", id);

        // When
        await().until(() -> measured("waybill_export_lag_seconds") >= 3 * 3600);

        // Then
        assertThat(measured("waybill_export_exports_running")).isGreaterThanOrEqualTo(1);
        assertThat(measured("waybill_export_runs_running")).isGreaterThanOrEqualTo(1);
        assertThat(Management.get("/q/metrics")).containsPattern("(?m)^waybill_export_exports_waiting(\\{})? \\d")
                .containsPattern("(?m)^waybill_export_queue_age_seconds(\\{})? \\d");
    }

    private static List<String> attempts(LogLines log, UUID id) {
        return log.lines().stream()
                .filter(line -> line.contains("attempt ended") && line.contains(id.toString()))
                .toList();
    }

    private double measured(String name) {
        metrics.readQueueState().await().atMost(LONG);
        return metric(name);
    }

    private static double metric(String name) {
        ToDoubleFunction<String> value = text -> {
            Matcher found = Pattern.compile("^" + Pattern.quote(name) + "(?:\\{\\})? (\\S+)$", Pattern.MULTILINE).matcher(text);
            return found.find() ? Double.parseDouble(found.group(1)) : 0;
        };
        return value.applyAsDouble(Management.get("/q/metrics"));
    }

    private long bytes(UUID id) {
        return exports.client().export(id).<Number> path("progress.bytes_exported").longValue();
    }

    private long completedBytes(UUID id) {
        List<Number> bytes = exports.client().runs(id)
                .path("findAll { it.status == 'Completed' }.metadata.result.bytes_written");
        return bytes.stream().mapToLong(Number::longValue).sum();
    }

    private void awaitTest() {
        try {
            goOn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
