package dev.waybill.experiment.intake;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.Ids;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.experiment.body.Body;
import dev.waybill.experiment.intake.BatchReader.Batch;
import dev.waybill.experiment.json.ViolationCollector;
import dev.waybill.experiment.run.ReceivedRun;
import dev.waybill.experiment.run.RunLookupService;
import dev.waybill.experiment.run.RunValidator;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Stores runs (contract.md "Trace intake"): parses and validates a body off the event loop, then stores it. When a method
 * completes, the runs are committed.
 */
@Singleton
public class IntakeService {

    private final Blocking blocking;
    private final BatchReader reader;
    private final BatchStore batches;
    private final RunLookupService runs;
    private final Ids ids;
    private final Clock clock;

    IntakeService(Blocking blocking, BatchReader reader, BatchStore batches, RunLookupService runs, Ids ids, Clock clock) {
        this.blocking = blocking;
        this.reader = reader;
        this.batches = batches;
        this.runs = runs;
        this.ids = ids;
        this.clock = clock;
    }

    Uni<Void> storeMultipart(UUID tenantId, Body body) {
        return blocking.call(() -> reader.readMultipart(body))
                .chain(batch -> batches.store(tenantId, batch));
    }

    Uni<Void> storeBatch(UUID tenantId, Body body) {
        return blocking.call(() -> reader.readJson(body))
                .chain(batch -> batches.store(tenantId, batch));
    }

    /**
     * Stores runs that were parsed and validated elsewhere. {@code beforeInsert} runs in the transaction and may still change
     * their position in the trace.
     */
    public Uni<Void> store(UUID tenantId, List<ReceivedRun> validRuns, Function<SqlConnection, Uni<Void>> beforeInsert) {
        return batches.store(tenantId, Batch.of(validRuns, List.of()), beforeInsert);
    }

    /** Stores a single run, whose position in its trace is derived if it is missing. */
    Uni<Void> create(UUID tenantId, Body body) {
        ViolationCollector violations = ViolationCollector.none();
        return blocking.call(() -> reader.readRun(body, violations))
                .invoke(run -> run.assignIdIfMissing(ids::newId))
                .call(run -> resolvePosition(tenantId, run, violations))
                .invoke(run -> RunValidator.checkNew(run, violations))
                .invoke(violations::throwIfAny)
                .chain(run -> batches.store(tenantId, Batch.of(List.of(run), List.of())));
    }

    /** Stores the patch of a single run. */
    Uni<Void> update(UUID tenantId, UUID runId, Body body) {
        ViolationCollector violations = ViolationCollector.none();
        return blocking.call(() -> reader.readRun(body, violations))
                .invoke(run -> RunValidator.assignId(run, runId, violations))
                .invoke(run -> RunValidator.checkSinglePatch(run, violations))
                .invoke(violations::throwIfAny)
                .chain(run -> batches.store(tenantId, Batch.of(List.of(), List.of(run))));
    }

    private Uni<Void> resolvePosition(UUID tenantId, ReceivedRun run, ViolationCollector violations) {
        Optional<UUID> parent = run.hasDottedOrder() ? Optional.empty() : run.parentRunId();
        Uni<Optional<String>> parentOrder = parent.isEmpty()
                ? Uni.createFrom().item(Optional.empty())
                : runs.findDottedOrder(tenantId, parent.get());
        return parentOrder
                .invoke(order -> resolvePosition(run, parent, order.orElse(null), violations))
                .replaceWithVoid();
    }

    private void resolvePosition(ReceivedRun run, Optional<UUID> parent, @Nullable String parentOrder,
            ViolationCollector violations) {
        if (parent.isPresent() && parentOrder == null) {
            violations.invalid("parent_run_id",
                    "must name an existing run; send that run first, or set trace_id and dotted_order");
        }
        RunValidator.assignDottedOrder(run, parentOrder, clock.instant());
    }
}
