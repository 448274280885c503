package dev.waybill.experiment.run;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/** What holds of a run before it is stored, and what follows from its other members where it does not say it itself. */
public final class RunValidator {

    private RunValidator() {
    }

    /**
     * Gives a run that came alone its place in its trace where it names none: below its parent, or as a root.
     *
     * @param parentOrder the parent's place; null for a root
     * @param now its start, when it says none
     */
    public static void place(RunFields run, @Nullable String parentOrder, Instant now) {
        if (run.dottedOrder == null) {
            if (run.startTime == null) {
                run.startTime = now;
            }
            if (parentOrder == null) {
                run.parentRunId = null;
            }
            String own = DottedOrder.segment(run.startTime, run.id());
            run.dottedOrder = parentOrder == null ? own : parentOrder + "." + own;
        }
        takeTraceFromPlace(run);
    }

    /** Gives a run that was checked another place, and the id at the end of it. */
    public static void move(RunFields run, String dottedOrder) {
        DottedOrder order = DottedOrder.parse(dottedOrder).orElseThrow();
        run.id = order.id();
        run.traceId = order.traceId();
        run.dottedOrder = dottedOrder;
        run.parentRunId = order.parentId().orElse(null);
        run.parentRunIds = order.parentIds();
    }

    private static void takeTraceFromPlace(RunFields run) {
        if (run.traceId == null && run.dottedOrder != null) {
            DottedOrder.parse(run.dottedOrder).ifPresent(order -> run.traceId = order.traceId());
        }
    }

    /** Gives a run the id that stands beside its body, in an address or a part's name; one within must be the same. */
    public static void identify(RunFields run, UUID id, Violations found) {
        if (contradicts(run.id, id)) {
            found.invalid("id", "must be " + id + ", the id it was sent under");
        }
        run.id = id;
    }

    /** Checks a new run and completes it. */
    public static void checkNew(RunFields run, Violations found) {
        if (run.name == null) {
            found.missing("name");
        }
        if (run.runType == null) {
            found.missing("run_type");
        }
        DottedOrder order = checkPlace(run, found);
        checkWords(run, found);
        if (run.startTime == null && order != null) {
            run.startTime = order.startTime();
        }
        if (run.status == null) {
            run.status = RunStatus.of(run.error != null, run.endTime != null).toString();
        }
    }

    /** Checks a change of a run that came in a batch. */
    public static void checkPatch(RunFields run, Violations found) {
        checkPlace(run, found);
        checkWords(run, found);
    }

    /** Checks a change of a run that came alone, where its address says which run it is. */
    public static void checkPatchAlone(RunFields run, Violations found) {
        if (run.dottedOrder != null) {
            takeTraceFromPlace(run);
            checkPlace(run, found);
        }
        checkWords(run, found);
    }

    private static void checkWords(RunFields run, Violations found) {
        if (run.runType != null && !RunType.isOne(run.runType)) {
            found.invalid("run_type", "must be one of " + RunType.names());
        }
        if (run.status != null && !RunStatus.isOne(run.status)) {
            found.invalid("status", "must be one of " + RunStatus.names());
        }
    }

    private static @Nullable DottedOrder checkPlace(RunFields run, Violations found) {
        if (run.id == null) {
            found.missing("id");
        }
        if (run.traceId == null) {
            found.missing("trace_id");
        }
        if (run.dottedOrder == null) {
            found.missing("dotted_order");
            return null;
        }
        DottedOrder order = DottedOrder.parse(run.dottedOrder).orElse(null);
        if (order == null) {
            found.invalid("dotted_order",
                    "must be segments such as 20261121T000931341001Z<UUID>, from the root to the run, joined by dots");
        } else {
            checkAgainst(order, run, found);
        }
        return order;
    }

    private static void checkAgainst(DottedOrder order, RunFields run, Violations found) {
        if (contradicts(run.id, order.id())) {
            found.invalid("dotted_order", "must end with the run's own id");
        }
        if (contradicts(run.traceId, order.traceId())) {
            found.invalid("dotted_order", "must begin with the segment of the run that trace_id names");
        }
        if (run.parentRunId != null && !order.parentId().equals(Optional.of(run.parentRunId))) {
            found.invalid("parent_run_id", "must be the last run but one in dotted_order");
        }
        run.parentRunId = order.parentId().orElse(null);
        run.parentRunIds = order.parentIds();
    }

    private static boolean contradicts(@Nullable UUID given, UUID inOrder) {
        return given != null && !given.equals(inOrder);
    }
}
