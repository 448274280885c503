package dev.waybill.common.filter;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The fields of a filter: the scalar columns of an export, tags, and keys and values of the JSON members (docs/filters.md).
 * Other parts of a run cannot be accessed.
 */
public enum FilterField {
    ID(FilterType.ID),
    TRACE_ID(FilterType.ID),
    PARENT_RUN_ID(FilterType.ID),
    SESSION_ID(FilterType.ID),
    REFERENCE_EXAMPLE_ID(FilterType.ID),
    MANIFEST_ID(FilterType.ID),
    TENANT_ID(FilterType.ID),
    NAME(FilterType.TEXT),
    RUN_TYPE(FilterType.TEXT),
    STATUS(FilterType.TEXT),
    ERROR(FilterType.TEXT),
    DOTTED_ORDER(FilterType.TEXT),
    TRACE_TIER(FilterType.TEXT),
    THREAD_ID(FilterType.TEXT),
    SESSION_NAME(FilterType.TEXT, """
            (SELECT f_session.name FROM trace.sessions f_session \
            WHERE f_session.tenant_id = {run}.tenant_id AND f_session.id = {run}.session_id)"""),
    APP_PATH(FilterType.TEXT, """
            ('/o/' || {run}.tenant_id || '/projects/p/' || {run}.session_id || '/r/' || {run}.id \
            || '?trace_id=' || {run}.trace_id \
            || '&start_time=' || to_char({run}.start_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))"""),
    START_TIME(FilterType.TIME),
    END_TIME(FilterType.TIME),
    FIRST_TOKEN_TIME(FilterType.TIME),
    LATENCY(FilterType.DURATION, "extract(epoch FROM {run}.end_time - {run}.start_time)"),
    PROMPT_TOKENS(FilterType.NUMBER),
    COMPLETION_TOKENS(FilterType.NUMBER),
    TOTAL_TOKENS(FilterType.NUMBER),
    PROMPT_COST(FilterType.NUMBER),
    COMPLETION_COST(FilterType.NUMBER),
    TOTAL_COST(FilterType.NUMBER),
    IS_ROOT(FilterType.FLAG, "({run}.parent_run_id IS NULL)"),
    TAGS(FilterType.TAGS),
    INPUT_KEY(FilterType.KEY, PairType.INPUT),
    INPUT_VALUE(FilterType.VALUE, PairType.INPUT),
    OUTPUT_KEY(FilterType.KEY, PairType.OUTPUT),
    OUTPUT_VALUE(FilterType.VALUE, PairType.OUTPUT),
    METADATA_KEY(FilterType.KEY, PairType.METADATA),
    METADATA_VALUE(FilterType.VALUE, PairType.METADATA),
    FEEDBACK_KEY(FilterType.KEY, PairType.FEEDBACK),
    FEEDBACK_SCORE(FilterType.SCORE, PairType.FEEDBACK);

    private static final Map<String, FilterField> BY_WIRE_NAME = Arrays.stream(values())
            .collect(Collectors.toUnmodifiableMap(FilterField::wireName, Function.identity()));

    /** Fields that every run has. */
    private static final Set<FilterField> NOT_NULL = EnumSet.of(ID, TRACE_ID, SESSION_ID, TENANT_ID, NAME, RUN_TYPE, STATUS,
            DOTTED_ORDER, APP_PATH, START_TIME, IS_ROOT);

    private final FilterType type;
    private final Optional<PairType> pairType;
    private final String expression;

    FilterField(FilterType type) {
        this.type = type;
        this.pairType = Optional.empty();
        this.expression = "{run}." + name().toLowerCase(Locale.ROOT);
    }

    FilterField(FilterType type, String expression) {
        this.type = type;
        this.pairType = Optional.empty();
        this.expression = expression;
    }

    FilterField(FilterType type, PairType pairType) {
        this.type = type;
        this.pairType = Optional.of(pairType);
        this.expression = "";
    }

    /** Returns the field with this name in a filter. */
    public static Optional<FilterField> of(String wireName) {
        return Optional.ofNullable(BY_WIRE_NAME.get(wireName));
    }

    /** Returns the name in a filter. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the names of the fields that a function supports. */
    static String namesSupportedBy(FilterFunction function) {
        return Arrays.stream(values())
                .filter(field -> field.type.supports(function))
                .map(FilterField::wireName)
                .collect(Collectors.joining(", "));
    }

    FilterType type() {
        return type;
    }

    /** Returns the type of the pairs whose key or value this field is; empty for other fields. */
    Optional<PairType> pairType() {
        return pairType;
    }

    boolean isKeyOf(PairType pairs) {
        return type == FilterType.KEY && pairType.equals(Optional.of(pairs));
    }

    boolean isValueOf(PairType pairs) {
        return type != FilterType.KEY && pairType.equals(Optional.of(pairs));
    }

    /** Returns whether every run has a value for the field. */
    boolean isNotNull() {
        return NOT_NULL.contains(this);
    }

    /** Returns the SQL expression for the field of the run with the table alias {@code alias}; not for keys and values. */
    String sql(String alias) {
        return expression.replace("{run}", alias);
    }
}
