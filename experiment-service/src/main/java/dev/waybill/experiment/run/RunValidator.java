package dev.waybill.experiment.run;

import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.json.ViolationCollector;

/** Validates runs before they are stored and derives missing members from others. */
public final class RunValidator {

    private RunValidator() {
    }

    /**
     * Assigns a dotted order to a single run without one: below its parent, or as a root run.
     *
     * @param parentOrder dotted order of the parent; null for a root run
     * @param now start time of a run without one
     */
    public static void assignDottedOrder(ReceivedRun run, @Nullable String parentOrder, Instant now) {
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
        deriveTraceId(run);
    }

    /** Replaces the dotted order of a validated run and sets the ids that it contains. */
    public static void changeDottedOrder(ReceivedRun run, String dottedOrder) {
        DottedOrder order = DottedOrder.parse(dottedOrder).orElseThrow();
        run.id = order.id();
        run.traceId = order.traceId();
        run.dottedOrder = dottedOrder;
        run.parentRunId = order.parentId().orElse(null);
        run.parentRunIds = order.parentIds();
    }

    private static void deriveTraceId(ReceivedRun run) {
        if (run.traceId == null && run.dottedOrder != null) {
            DottedOrder.parse(run.dottedOrder).ifPresent(order -> run.traceId = order.traceId());
        }
    }

    /** Assigns the id from the path or the part name; an id in the body must be equal. */
    public static void assignId(ReceivedRun run, UUID id, ViolationCollector violations) {
        if (differs(run.id, id)) {
            violations.invalid("id", "must be " + id + ", the id in the path or part name");
        }
        run.id = id;
    }

    /** Validates a new run and derives missing members. */
    public static void checkNew(ReceivedRun run, ViolationCollector violations) {
        if (run.name == null) {
            violations.missing("name");
        }
        if (run.runType == null) {
            violations.missing("run_type");
        }
        DottedOrder order = checkDottedOrder(run, violations);
        checkEnumerations(run, violations);
        if (run.startTime == null && order != null) {
            run.startTime = order.startTime();
        }
        if (run.status == null) {
            run.status = Status.of(run.error != null, run.endTime != null).toString();
        }
    }

    /** Validates a patch in a batch. */
    public static void checkPatch(ReceivedRun run, ViolationCollector violations) {
        checkDottedOrder(run, violations);
        checkEnumerations(run, violations);
    }

    /** Validates a single patch, whose path contains the run id. */
    public static void checkSinglePatch(ReceivedRun run, ViolationCollector violations) {
        if (run.dottedOrder != null) {
            deriveTraceId(run);
            checkDottedOrder(run, violations);
        }
        checkEnumerations(run, violations);
    }

    private static void checkEnumerations(ReceivedRun run, ViolationCollector violations) {
        if (run.runType != null && !Type.isValid(run.runType)) {
            violations.invalid("run_type", "must be one of " + Type.names());
        }
        if (run.status != null && !Status.isValid(run.status)) {
            violations.invalid("status", "must be one of " + Status.names());
        }
    }

    private static @Nullable DottedOrder checkDottedOrder(ReceivedRun run, ViolationCollector violations) {
        if (run.id == null) {
            violations.missing("id");
        }
        if (run.traceId == null) {
            violations.missing("trace_id");
        }
        if (run.dottedOrder == null) {
            violations.missing("dotted_order");
            return null;
        }
        DottedOrder order = DottedOrder.parse(run.dottedOrder).orElse(null);
        if (order == null) {
            violations.invalid("dotted_order",
                    "must be segments such as 20261121T000931341001Z<UUID>, from the root to the run, joined by dots");
        } else {
            checkConsistency(order, run, violations);
        }
        return order;
    }

    private static void checkConsistency(DottedOrder order, ReceivedRun run, ViolationCollector violations) {
        if (differs(run.id, order.id())) {
            violations.invalid("dotted_order", "must end with the run's own id");
        }
        if (differs(run.traceId, order.traceId())) {
            violations.invalid("dotted_order", "must begin with the segment of the root run, whose id is trace_id");
        }
        if (run.parentRunId != null && !order.parentId().equals(Optional.of(run.parentRunId))) {
            violations.invalid("parent_run_id", "must be the second to last id in dotted_order");
        }
        run.parentRunId = order.parentId().orElse(null);
        run.parentRunIds = order.parentIds();
    }

    private static boolean differs(@Nullable UUID value, UUID inOrder) {
        return value != null && !value.equals(inOrder);
    }

    /** Status of a run; pending until its end time or error is received. */
    enum Status {
        PENDING,
        SUCCESS,
        ERROR;

        private static final Set<String> NAMES = Arrays.stream(values())
                .map(Status::toString)
                .collect(Collectors.toCollection(TreeSet::new));

        /** Derives the status of a run that was sent without one. */
        static Status of(boolean failed, boolean ended) {
            return failed ? ERROR : ended ? SUCCESS : PENDING;
        }

        static boolean isValid(String name) {
            return NAMES.contains(name);
        }

        static String names() {
            return String.join(", ", NAMES);
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Types of runs that tracing clients send. */
    enum Type {
        TOOL,
        CHAIN,
        LLM,
        RETRIEVER,
        EMBEDDING,
        PROMPT,
        PARSER;

        private static final Set<String> NAMES = Arrays.stream(values())
                .map(Type::toString)
                .collect(Collectors.toCollection(TreeSet::new));

        static boolean isValid(String name) {
            return NAMES.contains(name);
        }

        static String names() {
            return String.join(", ", NAMES);
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
