package dev.waybill.soak;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import java.util.UUID;

import dev.waybill.common.api.export.CreateBulkExportRequest;
import dev.waybill.local.storage.Wait;

/** An export with injected faults. The random numbers determine everything except the timing of the processes. */
final class Iteration {

    private static final LocalDate FIRST_DAY = LocalDate.of(2026, 3, 2);
    private static final List<String> VERSIONS = List.of("v1", "v2_beta");
    private static final List<String> COMPRESSIONS = List.of("none", "gzip", "snappy", "zstandard");
    private static final int MAX_FAULT_START_MILLIS = 1800;

    private final SoakEnvironment environment;
    private final Random random;
    private final List<ScheduledAction> actions = new ArrayList<>();
    private final StringJoiner summary = new StringJoiner(", ");

    Iteration(SoakEnvironment environment, Random random) {
        this.environment = environment;
        this.random = random;
    }

    /** Creates an export, injects faults while it runs, and verifies its files. Returns a summary in one line. */
    String run() {
        int days = 1 + random.nextInt(6);
        int rows = random.nextInt(1800 * days);
        Instant begin = FIRST_DAY.atStartOfDay(ZoneOffset.UTC).toInstant();
        Instant end = begin.plus(Duration.ofDays(days));
        SourceRows source = new SourceRows(environment.stack.superuserUrl(), environment.tenantId);
        source.insert(begin, end, rows, 1 + random.nextInt(60));
        Instant from = begin.plusSeconds(random.nextInt(20_000));
        Instant to = end.minusSeconds(random.nextInt(20_000));
        CreateBulkExportRequest request = new CreateBulkExportRequest(environment.destinationId, source.sessionId(), from, to,
                null, null, null, null,
                VERSIONS.get(random.nextInt(VERSIONS.size())), COMPRESSIONS.get(random.nextInt(COMPRESSIONS.size())));
        summary.add(rows + " rows").add(days + " days").add(request.formatVersionOrDefault())
                .add(request.compressionOrDefault());
        planFaults();
        try {
            UUID export = environment.call(exporter -> exporter.start(request));
            injectFaults();
            new ExportVerifier(environment, source).verify(export, from, to);
        } catch (RuntimeException e) {
            throw new IllegalStateException(summary + ": " + e.getMessage(), e);
        }
        source.delete();
        return summary.toString();
    }

    private void planFaults() {
        int count = 1 + random.nextInt(2);
        List<Fault> chosen = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Fault fault = Fault.pick(random);
            long startMillis = random.nextInt(MAX_FAULT_START_MILLIS);
            long duration = fault.duration(random);
            Fault.Injection injection = fault.injection(environment, random);
            if (chosen.stream().noneMatch(fault::conflictsWith)) {
                chosen.add(fault);
                actions.add(new ScheduledAction(startMillis, injection.start()));
                actions.add(new ScheduledAction(startMillis + duration, injection.revert()));
                summary.add(fault + " at " + startMillis + " ms for " + duration);
            }
        }
        actions.sort(Comparator.comparingLong(ScheduledAction::atMillis));
    }

    private void injectFaults() {
        long startNanos = System.nanoTime();
        for (ScheduledAction scheduled : actions) {
            long wait = scheduled.atMillis() - Duration.ofNanos(System.nanoTime() - startNanos).toMillis();
            if (wait > 0) {
                Wait.sleep(Duration.ofMillis(wait));
            }
            scheduled.action().run();
        }
    }

    private record ScheduledAction(long atMillis, Runnable action) {
    }
}
