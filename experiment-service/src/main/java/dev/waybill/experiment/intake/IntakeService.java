package dev.waybill.experiment.intake;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.Ids;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.experiment.body.Body;
import dev.waybill.experiment.run.RunBatch;
import dev.waybill.experiment.run.RunFields;
import dev.waybill.experiment.run.RunService;
import dev.waybill.experiment.run.RunValidator;
import dev.waybill.experiment.run.Violations;
import io.smallrye.mutiny.Uni;

/**
 * Stores runs (contract.md "Trace intake"): parses and validates a body off the event loop, then stores it. When a method
 * completes, the runs are committed.
 */
@Singleton
public class IntakeService {

    private final Blocking blocking;
    private final BatchReader reader;
    private final BatchQueue queue;
    private final RunService runs;
    private final Ids ids;
    private final Clock clock;

    IntakeService(Blocking blocking, BatchReader reader, BatchQueue queue, RunService runs, Ids ids, Clock clock) {
        this.blocking = blocking;
        this.reader = reader;
        this.queue = queue;
        this.runs = runs;
        this.ids = ids;
        this.clock = clock;
    }

    Uni<Void> storeMultipart(UUID tenantId, Body body) {
        return blocking.call(() -> reader.readMultipart(body))
                .chain(batch -> queue.store(tenantId, batch));
    }

    Uni<Void> storeBatch(UUID tenantId, Body body) {
        return blocking.call(() -> reader.readJson(body))
                .chain(batch -> queue.store(tenantId, batch));
    }

    /** Stores runs that were parsed and validated elsewhere; {@code hook} may still change their position in the trace. */
    public Uni<Void> store(UUID tenantId, List<RunFields> validRuns, PreInsertHook hook) {
        return queue.store(tenantId, Batch.of(new RunBatch(validRuns, List.of())), hook);
    }

    /** Stores a single run, whose position in its trace is derived if it is missing. */
    Uni<Void> create(UUID tenantId, Body body) {
        Violations violations = Violations.none();
        return blocking.call(() -> reader.readRun(body, violations))
                .invoke(run -> run.assignIdIfMissing(ids::newId))
                .call(run -> resolvePosition(tenantId, run, violations))
                .invoke(run -> RunValidator.checkNew(run, violations))
                .invoke(violations::throwIfAny)
                .chain(run -> queue.store(tenantId, BatchReader.ofPost(run)));
    }

    /** Stores the patch of a single run. */
    Uni<Void> update(UUID tenantId, UUID runId, Body body) {
        Violations violations = Violations.none();
        return blocking.call(() -> reader.readRun(body, violations))
                .invoke(run -> RunValidator.assignId(run, runId, violations))
                .invoke(run -> RunValidator.checkSinglePatch(run, violations))
                .invoke(violations::throwIfAny)
                .chain(run -> queue.store(tenantId, BatchReader.ofPatch(run)));
    }

    private Uni<Void> resolvePosition(UUID tenantId, RunFields run, Violations violations) {
        Optional<UUID> parent = run.hasDottedOrder() ? Optional.empty() : run.parentRunId();
        Uni<Optional<String>> parentOrder = parent.isEmpty()
                ? Uni.createFrom().item(Optional.empty())
                : runs.findDottedOrder(tenantId, parent.get());
        return parentOrder
                .invoke(order -> resolvePosition(run, parent, order.orElse(null), violations))
                .replaceWithVoid();
    }

    private void resolvePosition(RunFields run, Optional<UUID> parent, @Nullable String parentOrder, Violations violations) {
        if (parent.isPresent() && parentOrder == null) {
            violations.invalid("parent_run_id",
                    "must name an existing run; send that run first, or set trace_id and dotted_order");
        }
        RunValidator.assignDottedOrder(run, parentOrder, clock.instant());
    }
}
