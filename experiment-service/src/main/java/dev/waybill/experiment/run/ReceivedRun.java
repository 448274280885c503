package dev.waybill.experiment.run;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.json.Bytes;

/**
 * Members of a run in a request, filled while the request is parsed; absent members are null. JSON members are slices
 * of the request body.
 */
public final class ReceivedRun {

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
    /** From the run's own members, which take precedence over those in outputs and metadata. */
    TokenUsage ownUsage = TokenUsage.UNKNOWN;
    TokenUsage outputsUsage = TokenUsage.UNKNOWN;
    TokenUsage metadataUsage = TokenUsage.UNKNOWN;
    @Nullable
    Instant eventsFirstToken;
    /** The session that was resolved by name. */
    @Nullable
    private UUID session;
    /** Ancestors of the run, root first; set by validation. */
    List<UUID> parentRunIds = List.of();

    /** Converts a completed run, which needs no validation. */
    public static ReceivedRun of(Finished finished) {
        ReceivedRun run = new ReceivedRun();
        run.id = finished.id();
        run.traceId = finished.id();
        run.sessionId = finished.sessionId();
        run.referenceExampleId = finished.exampleId();
        run.dottedOrder = DottedOrder.segment(finished.startTime(), finished.id());
        run.name = finished.name();
        run.runType = RunValidator.Type.CHAIN.toString();
        run.status = RunValidator.Status.of(finished.hasFailed(), true).toString();
        run.error = finished.error();
        run.startTime = finished.startTime();
        run.endTime = finished.endTime();
        run.inputs = finished.inputs();
        run.outputs = finished.outputs();
        run.metadata = finished.metadata();
        run.extra = finished.metadata() == null ? null : finished.metadata().surroundedBy("{\"metadata\":", "}");
        return run;
    }

    /** Returns a run with only the members that its dotted order determines. */
    static ReceivedRun atDottedOrder(String dottedOrder) {
        ReceivedRun run = new ReceivedRun();
        RunValidator.changeDottedOrder(run, dottedOrder);
        return run;
    }

    /** Returns the run's id; requires a validated run. */
    public UUID id() {
        return require(id);
    }

    /** Returns the session id in the request. */
    public Optional<UUID> sessionId() {
        return Optional.ofNullable(sessionId);
    }

    /** Returns the session name in the request. */
    public Optional<String> sessionName() {
        return Optional.ofNullable(sessionName);
    }

    /** Returns the id of the parent run. */
    public Optional<UUID> parentRunId() {
        return Optional.ofNullable(parentRunId);
    }

    /** Returns whether the request has a dotted order. */
    public boolean hasDottedOrder() {
        return dottedOrder != null;
    }

    /** Assigns an id if the run has none. */
    public void assignIdIfMissing(Supplier<UUID> newId) {
        if (id == null) {
            id = newId.get();
        }
    }

    /**
     * Assigns the session to store the run in. The request's own members stay unchanged in case the transaction is
     * retried.
     */
    public void assignSession(UUID session) {
        this.session = session;
    }

    /** Returns the session to store the run in; null for a patch. */
    public @Nullable UUID session() {
        return first(session, sessionId);
    }

    /** Returns the size of the JSON members in bytes, which is nearly the size of the run. */
    public int size() {
        return length(inputs) + length(outputs) + length(events) + length(extra) + length(metadata) + length(serialized);
    }

    /** Returns the usage in the run's own members, to be filled. */
    TokenUsage ownUsage() {
        if (ownUsage == TokenUsage.UNKNOWN) {
            ownUsage = new TokenUsage();
        }
        return ownUsage;
    }

    TokenUsage usage() {
        return ownUsage.orElse(outputsUsage).orElse(metadataUsage).withTotals();
    }

    @Nullable
    Instant firstToken() {
        return firstTokenTime != null ? firstTokenTime : eventsFirstToken;
    }

    /** Adds members of an earlier patch of the same run that this patch does not have. */
    void addMissing(ReceivedRun earlier) {
        if (extra == null) {
            extra = earlier.extra;
            metadata = earlier.metadata;
            metadataUsage = earlier.metadataUsage;
        }
        if (outputs == null) {
            outputs = earlier.outputs;
            outputsUsage = earlier.outputsUsage;
        }
        if (events == null) {
            events = earlier.events;
            eventsFirstToken = earlier.eventsFirstToken;
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
        ownUsage = ownUsage.merge(earlier.ownUsage);
    }

    private static <T> @Nullable T first(@Nullable T one, @Nullable T other) {
        return one != null ? one : other;
    }

    static <T> T require(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("the run was used before it was validated");
        }
        return value;
    }

    private static int length(@Nullable Bytes json) {
        return json == null ? 0 : json.length();
    }

    /** A completed root run without children, as uploaded experiments contain them. */
    public record Finished(UUID id, UUID sessionId, UUID exampleId, String name, Instant startTime, Instant endTime,
            @Nullable String error, Bytes inputs, @Nullable Bytes outputs, @Nullable Bytes metadata) {

        /** Returns whether the run failed; a blank error means none, as many clients send it. */
        boolean hasFailed() {
            return error != null && !error.isBlank();
        }
    }
}
