package dev.waybill.experiment.run;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.util.RawValue;

import dev.waybill.common.api.trace.RunResponse;
import dev.waybill.common.trace.FeedbackSummary;

/** Fields of a run in the API, which {@code select} refers to by name; in the order of a complete response. */
public enum RunField {
    ID(RunResponse::id),
    NAME(RunResponse::name),
    RUN_TYPE(RunResponse::runType),
    START_TIME(RunResponse::startTime),
    END_TIME(RunResponse::endTime),
    FIRST_TOKEN_TIME(RunResponse::firstTokenTime),
    STATUS(RunResponse::status),
    ERROR("error", RunResponse::error),
    INPUTS("inputs", json(RunResponse::inputs)),
    OUTPUTS("outputs", json(RunResponse::outputs)),
    EXTRA("extra", json(RunResponse::extra)),
    EVENTS("events", json(RunResponse::events)),
    SERIALIZED("serialized", json(RunResponse::serialized)),
    METADATA("metadata", json(RunResponse::metadata)),
    TAGS(RunResponse::tags),
    TRACE_ID(RunResponse::traceId),
    DOTTED_ORDER(RunResponse::dottedOrder),
    PARENT_RUN_ID(RunResponse::parentRunId),
    PARENT_RUN_IDS(RunResponse::parentRunIds),
    IS_ROOT(RunResponse::isRoot),
    TENANT_ID(RunResponse::tenantId),
    SESSION_ID(RunResponse::sessionId),
    SESSION_NAME(RunResponse::sessionName),
    REFERENCE_EXAMPLE_ID(RunResponse::referenceExampleId),
    PROMPT_TOKENS(RunResponse::promptTokens),
    COMPLETION_TOKENS(RunResponse::completionTokens),
    TOTAL_TOKENS(RunResponse::totalTokens),
    PROMPT_COST(decimal(RunResponse::promptCost)),
    COMPLETION_COST(decimal(RunResponse::completionCost)),
    TOTAL_COST(decimal(RunResponse::totalCost)),
    LATENCY(RunResponse::latency),
    FEEDBACK_STATS(FeedbackSummary.ofRun("runs"), json(RunResponse::feedbackStats)),
    S3_URLS("""
            (SELECT json_agg(json_build_object('name', file.name, 'content_type', file.content_type) ORDER BY file.name)::text
            FROM trace.attachments file WHERE file.tenant_id = runs.tenant_id AND file.run_id = runs.id)""",
            RunResponse::s3Urls),
    THREAD_ID(RunResponse::threadId),
    INPUTS_PREVIEW("left(runs.inputs, " + TextPreview.SOURCE_LENGTH + ")", RunResponse::inputsPreview),
    OUTPUTS_PREVIEW("left(runs.outputs, " + TextPreview.SOURCE_LENGTH + ")", RunResponse::outputsPreview),
    MANIFEST_ID(RunResponse::manifestId),
    TRACE_TIER(RunResponse::traceTier),
    APP_PATH(RunResponse::appPath);

    private static final Map<String, RunField> BY_WIRE_NAME = Arrays.stream(values())
            .collect(Collectors.toUnmodifiableMap(RunField::wireName, Function.identity()));

    /** Columns of unlimited length. */
    private static final Set<RunField> UNLIMITED_LENGTH = Set.of(ERROR, INPUTS, OUTPUTS, EXTRA, EVENTS, SERIALIZED, METADATA);

    private final Optional<String> selectExpression;
    private final Function<RunResponse, @Nullable Object> value;

    /** Creates a field whose column is always read. */
    RunField(Function<RunResponse, @Nullable Object> value) {
        this.selectExpression = Optional.empty();
        this.value = value;
    }

    /** Creates a text field whose SQL expression is read only if the field is selected. */
    RunField(String selectExpression, Function<RunResponse, @Nullable Object> value) {
        this.selectExpression = Optional.of(selectExpression);
        this.value = value;
    }

    private static Function<RunResponse, @Nullable Object> json(Function<RunResponse, @Nullable String> text) {
        return run -> {
            String json = text.apply(run);
            return json == null ? null : new RawValue(json);
        };
    }

    // Returns decimals as strings, so that no client rounds them.
    private static Function<RunResponse, @Nullable Object> decimal(Function<RunResponse, @Nullable BigDecimal> number) {
        return run -> {
            BigDecimal decimal = number.apply(run);
            return decimal == null ? null : decimal.toPlainString();
        };
    }

    /** Returns the field with this name in the API. */
    public static Optional<RunField> of(String wireName) {
        return Optional.ofNullable(BY_WIRE_NAME.get(wireName));
    }

    /** Returns the name in the API. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the value of the field for JSON serialization. */
    public @Nullable Object of(RunResponse run) {
        return value.apply(run);
    }

    /** Returns whether the values have unlimited length. */
    public boolean hasUnlimitedLength() {
        return UNLIMITED_LENGTH.contains(this);
    }

    /** Returns the SQL expression on the table alias {@code runs}; empty for fields that are always read. */
    Optional<String> selectExpression() {
        return selectExpression;
    }
}
