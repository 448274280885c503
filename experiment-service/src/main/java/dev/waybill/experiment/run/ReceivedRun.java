package dev.waybill.experiment.run;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.json.Bytes;
import dev.waybill.experiment.json.JsonInput;
import dev.waybill.experiment.json.JsonMembers;

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
    Usage ownUsage = Usage.UNKNOWN;
    Usage outputsUsage = Usage.UNKNOWN;
    Usage metadataUsage = Usage.UNKNOWN;
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

    /** Returns the session to store the run in. */
    @Nullable
    UUID session() {
        return first(session, sessionId);
    }

    /** Returns the size of the JSON members in bytes, which is nearly the size of the run. */
    public int size() {
        return length(inputs) + length(outputs) + length(events) + length(extra) + length(metadata) + length(serialized);
    }

    /** Returns the usage in the run's own members, to be filled. */
    Usage ownUsage() {
        if (ownUsage == Usage.UNKNOWN) {
            ownUsage = new Usage();
        }
        return ownUsage;
    }

    Usage usage() {
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

    /** Tokens and costs of a run; null if unknown. */
    static final class Usage {

        /** Never modified. */
        static final Usage UNKNOWN = new Usage();
        private static final BigDecimal MAX_COST = new BigDecimal("999999999.999999999");
        // Usage in outputs and metadata is user data: values of other types are ignored.
        private static final JsonMembers<Usage> LENIENT = JsonMembers.<Usage> table()
                .member("input_tokens", (usage, in) -> usage.promptTokens = in.countOrNull())
                .member("output_tokens", (usage, in) -> usage.completionTokens = in.countOrNull())
                .member("total_tokens", (usage, in) -> usage.totalTokens = in.countOrNull())
                .member("input_cost", (usage, in) -> usage.promptCost = in.costOrNull())
                .member("output_cost", (usage, in) -> usage.completionCost = in.costOrNull())
                .member("total_cost", (usage, in) -> usage.totalCost = in.costOrNull())
                .build();

        @Nullable
        Long promptTokens;
        @Nullable
        Long completionTokens;
        @Nullable
        Long totalTokens;
        @Nullable
        BigDecimal promptCost;
        @Nullable
        BigDecimal completionCost;
        @Nullable
        BigDecimal totalCost;

        /** Reads the {@code usage_metadata} object at the input's position. */
        static Usage readLeniently(JsonInput in) throws IOException {
            Usage usage = new Usage();
            LENIENT.read(usage, in);
            return usage;
        }

        /** Returns the values of this usage, and the other's values that are missing here. */
        Usage merge(Usage other) {
            if (other == UNKNOWN) {
                return this;
            }
            Usage merged = new Usage();
            merged.setTokens(first(promptTokens, other.promptTokens), first(completionTokens, other.completionTokens),
                    first(totalTokens, other.totalTokens));
            merged.setCosts(first(promptCost, other.promptCost), first(completionCost, other.completionCost),
                    first(totalCost, other.totalCost));
            return merged;
        }

        /** Returns the tokens of this usage, or the other's if this one has none; likewise for costs. */
        Usage orElse(Usage other) {
            if (other == UNKNOWN) {
                return this;
            }
            Usage tokens = hasTokens() ? this : other;
            Usage costs = hasCosts() ? this : other;
            Usage result = new Usage();
            result.setTokens(tokens.promptTokens, tokens.completionTokens, tokens.totalTokens);
            result.setCosts(costs.promptCost, costs.completionCost, costs.totalCost);
            return result;
        }

        /** Returns this usage with missing totals calculated as sums. */
        Usage withTotals() {
            if (this == UNKNOWN) {
                return this;
            }
            Usage result = new Usage();
            result.setTokens(promptTokens, completionTokens, total(totalTokens, promptTokens, completionTokens, Long::sum));
            result.setCosts(promptCost, completionCost,
                    total(totalCost, promptCost, completionCost, (one, other) -> one.add(other).min(MAX_COST)));
            return result;
        }

        private void setTokens(@Nullable Long prompt, @Nullable Long completion, @Nullable Long total) {
            promptTokens = prompt;
            completionTokens = completion;
            totalTokens = total;
        }

        private void setCosts(@Nullable BigDecimal prompt, @Nullable BigDecimal completion, @Nullable BigDecimal total) {
            promptCost = prompt;
            completionCost = completion;
            totalCost = total;
        }

        private boolean hasTokens() {
            return promptTokens != null || completionTokens != null || totalTokens != null;
        }

        private boolean hasCosts() {
            return promptCost != null || completionCost != null || totalCost != null;
        }

        private static <T> @Nullable T total(@Nullable T total, @Nullable T one, @Nullable T other, BinaryOperator<T> sum) {
            return total != null || one == null || other == null ? total : sum.apply(one, other);
        }

        private static <T> @Nullable T first(@Nullable T one, @Nullable T other) {
            return one != null ? one : other;
        }
    }
}
