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
import dev.waybill.experiment.run.Findings;
import dev.waybill.experiment.run.RunBatch;
import dev.waybill.experiment.run.RunFields;
import dev.waybill.experiment.run.RunRules;
import dev.waybill.experiment.run.RunService;
import io.smallrye.mutiny.Uni;

/**
 * Takes runs in (contract.md "Trace intake"): reads and checks a body away from the event loop, then stores it. What these
 * methods
 * answer has been committed.
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

    /** Stores runs that were read elsewhere and checked; {@code preparation} may still change their places. */
    public Uni<Void> store(UUID tenantId, List<RunFields> checked, PreInsertHook preparation) {
        return queue.store(tenantId, Batch.of(new RunBatch(checked, List.of())), preparation);
    }

    /** Stores a run that came alone and may leave its place in its trace to be found. */
    Uni<Void> create(UUID tenantId, Body body) {
        Findings found = Findings.none();
        return blocking.call(() -> reader.readRun(body, found))
                .invoke(run -> run.identifyIfNeeded(ids::newId))
                .call(run -> place(tenantId, run, found))
                .invoke(run -> RunRules.checkNew(run, found))
                .invoke(found::throwIfAny)
                .chain(run -> queue.store(tenantId, BatchReader.ofPost(run)));
    }

    /** Stores a change of a run that came alone. */
    Uni<Void> update(UUID tenantId, UUID runId, Body body) {
        Findings found = Findings.none();
        return blocking.call(() -> reader.readRun(body, found))
                .invoke(run -> RunRules.identify(run, runId, found))
                .invoke(run -> RunRules.checkPatchAlone(run, found))
                .invoke(found::throwIfAny)
                .chain(run -> queue.store(tenantId, BatchReader.ofPatch(run)));
    }

    private Uni<Void> place(UUID tenantId, RunFields run, Findings found) {
        Optional<UUID> parent = run.isPlaced() ? Optional.empty() : run.parentRunId();
        Uni<Optional<String>> parentOrder = parent.isEmpty()
                ? Uni.createFrom().item(Optional.empty())
                : runs.findPlace(tenantId, parent.get());
        return parentOrder
                .invoke(order -> place(run, parent, order.orElse(null), found))
                .replaceWithVoid();
    }

    private void place(RunFields run, Optional<UUID> parent, @Nullable String parentOrder, Findings found) {
        if (parent.isPresent() && parentOrder == null) {
            found.invalid("parent_run_id",
                    "names a run that is not there; send that run first, or give trace_id and dotted_order");
        }
        RunRules.place(run, parentOrder, clock.instant());
    }
}
