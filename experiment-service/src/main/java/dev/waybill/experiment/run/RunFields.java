package dev.waybill.experiment.run;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.body.Bytes;

/**
 * The members of a run that a request gave, as they are read one after another; what it did not give is null. JSON members are
 * pieces of the request's body.
 */
public final class RunFields {

    @Nullable
    UUID id;
    @Nullable
    UUID traceId;
    @Nullable
    UUID parentRunId;
    @Nullable
    UUID sessionId;
    @Nullable
    UUID referenceExampleId;
    @Nullable
    UUID manifestId;
    @Nullable
    String traceTier;
    @Nullable
    String sessionName;
    @Nullable
    String dottedOrder;
    @Nullable
    String name;
    @Nullable
    String runType;
    @Nullable
    String status;
    @Nullable
    String error;
    @Nullable
    Instant startTime;
    @Nullable
    Instant endTime;
    @Nullable
    Instant firstTokenTime;
    @Nullable
    List<String> tags;
    @Nullable
    Bytes inputs;
    @Nullable
    Bytes outputs;
    @Nullable
    Bytes events;
    @Nullable
    Bytes extra;
    @Nullable
    Bytes metadata;
    @Nullable
    Bytes serialized;
    Usage given = Usage.UNKNOWN;
    Usage inOutputs = Usage.UNKNOWN;
    Usage inMetadata = Usage.UNKNOWN;
    @Nullable
    Instant firstTokenInEvents;
    /** The session of that name. */
    @Nullable
    private UUID session;
    /** The runs above this one, root first; known once the run was checked. */
    List<UUID> parentRunIds = List.of();

    /** A run that was told whole and not in a trace of its own making: it needs no checks. */
    public static RunFields of(FinishedRun told) {
        RunFields run = new RunFields();
        run.id = told.id();
        run.traceId = told.id();
        run.sessionId = told.sessionId();
        run.referenceExampleId = told.exampleId();
        run.dottedOrder = DottedOrder.segment(told.startTime(), told.id());
        run.name = told.name();
        run.runType = RunType.CHAIN.toString();
        run.status = RunStatus.of(told.hasFailed(), true).toString();
        run.error = told.error();
        run.startTime = told.startTime();
        run.endTime = told.endTime();
        run.inputs = told.inputs();
        run.outputs = told.outputs();
        run.metadata = told.metadata();
        run.extra = told.metadata() == null ? null : told.metadata().within("{\"metadata\":", "}");
        return run;
    }

    /** A run of which nothing but its place is known. */
    static RunFields atDottedOrder(String dottedOrder) {
        RunFields run = new RunFields();
        RunValidator.changeDottedOrder(run, dottedOrder);
        return run;
    }

    /** The run's id; only of a run that was checked. */
    public UUID id() {
        return require(id);
    }

    /** The session it says it belongs to, by id. */
    public Optional<UUID> sessionId() {
        return Optional.ofNullable(sessionId);
    }

    /** The session it says it belongs to, by name. */
    public Optional<String> sessionName() {
        return Optional.ofNullable(sessionName);
    }

    /** The run directly above it, where it says so. */
    public Optional<UUID> parentRunId() {
        return Optional.ofNullable(parentRunId);
    }

    /** Whether it says where in its trace it belongs. */
    public boolean hasDottedOrder() {
        return dottedOrder != null;
    }

    /** Gives the run an id unless it has one. */
    public void assignIdIfMissing(Supplier<UUID> newId) {
        if (id == null) {
            id = newId.get();
        }
    }

    /** Puts the run into a session. What it says itself stays, for when the transaction has to be done again. */
    public void assignSession(UUID session) {
        this.session = session;
    }

    /** The session it is stored in. */
    @Nullable
    UUID session() {
        return first(session, sessionId);
    }

    /** Bytes of its JSON members, which are nearly all of its size. */
    public int size() {
        return length(inputs) + length(outputs) + length(events) + length(extra) + length(metadata) + length(serialized);
    }

    Usage usage() {
        return given.orElse(inOutputs).orElse(inMetadata).withTotals();
    }

    @Nullable
    Instant firstToken() {
        return firstTokenTime != null ? firstTokenTime : firstTokenInEvents;
    }

    /** Takes from an earlier change of the same run what this one does not say. */
    void fillFrom(RunFields earlier) {
        if (extra == null) {
            extra = earlier.extra;
            metadata = earlier.metadata;
            inMetadata = earlier.inMetadata;
        }
        if (outputs == null) {
            outputs = earlier.outputs;
            inOutputs = earlier.inOutputs;
        }
        if (events == null) {
            events = earlier.events;
            firstTokenInEvents = earlier.firstTokenInEvents;
        }
        inputs = first(inputs, earlier.inputs);
        serialized = first(serialized, earlier.serialized);
        name = first(name, earlier.name);
        runType = first(runType, earlier.runType);
        status = first(status, earlier.status);
        error = first(error, earlier.error);
        startTime = first(startTime, earlier.startTime);
        endTime = first(endTime, earlier.endTime);
        firstTokenTime = first(firstTokenTime, earlier.firstTokenTime);
        tags = first(tags, earlier.tags);
        referenceExampleId = first(referenceExampleId, earlier.referenceExampleId);
        manifestId = first(manifestId, earlier.manifestId);
        traceTier = first(traceTier, earlier.traceTier);
        given = given.merge(earlier.given);
    }

    private static <T> @Nullable T first(@Nullable T one, @Nullable T other) {
        return one != null ? one : other;
    }

    static <T> T require(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("a run was used before it was checked");
        }
        return value;
    }

    private static int length(@Nullable Bytes json) {
        return json == null ? 0 : json.length();
    }
}
