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
 * What a filter may ask about: the scalar columns of an export, tags, and keys and values of the JSON members (contract.md
 * "Bulk
 * export", Filter). Nothing else of a run can be reached.
 */
public enum FilterField {
    ID(FieldKind.ID),
    TRACE_ID(FieldKind.ID),
    PARENT_RUN_ID(FieldKind.ID),
    SESSION_ID(FieldKind.ID),
    REFERENCE_EXAMPLE_ID(FieldKind.ID),
    MANIFEST_ID(FieldKind.ID),
    TENANT_ID(FieldKind.ID),
    NAME(FieldKind.TEXT),
    RUN_TYPE(FieldKind.TEXT),
    STATUS(FieldKind.TEXT),
    ERROR(FieldKind.TEXT),
    DOTTED_ORDER(FieldKind.TEXT),
    TRACE_TIER(FieldKind.TEXT),
    THREAD_ID(FieldKind.TEXT),
    SESSION_NAME(FieldKind.TEXT, """
            (SELECT f_session.name FROM trace.sessions f_session \
            WHERE f_session.tenant_id = {run}.tenant_id AND f_session.id = {run}.session_id)"""),
    APP_PATH(FieldKind.TEXT, """
            ('/o/' || {run}.tenant_id || '/projects/p/' || {run}.session_id || '/r/' || {run}.id \
            || '?trace_id=' || {run}.trace_id \
            || '&start_time=' || to_char({run}.start_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))"""),
    START_TIME(FieldKind.TIME),
    END_TIME(FieldKind.TIME),
    FIRST_TOKEN_TIME(FieldKind.TIME),
    LATENCY(FieldKind.DURATION, "extract(epoch FROM {run}.end_time - {run}.start_time)"),
    PROMPT_TOKENS(FieldKind.NUMBER),
    COMPLETION_TOKENS(FieldKind.NUMBER),
    TOTAL_TOKENS(FieldKind.NUMBER),
    PROMPT_COST(FieldKind.NUMBER),
    COMPLETION_COST(FieldKind.NUMBER),
    TOTAL_COST(FieldKind.NUMBER),
    IS_ROOT(FieldKind.FLAG, "({run}.parent_run_id IS NULL)"),
    TAGS(FieldKind.TAGS),
    INPUT_KEY(FieldKind.KEY, PairFamily.INPUT),
    INPUT_VALUE(FieldKind.VALUE, PairFamily.INPUT),
    OUTPUT_KEY(FieldKind.KEY, PairFamily.OUTPUT),
    OUTPUT_VALUE(FieldKind.VALUE, PairFamily.OUTPUT),
    METADATA_KEY(FieldKind.KEY, PairFamily.METADATA),
    METADATA_VALUE(FieldKind.VALUE, PairFamily.METADATA),
    FEEDBACK_KEY(FieldKind.KEY, PairFamily.FEEDBACK),
    FEEDBACK_SCORE(FieldKind.SCORE, PairFamily.FEEDBACK);

    private static final Map<String, FilterField> BY_WIRE_NAME = Arrays.stream(values())
            .collect(Collectors.toUnmodifiableMap(FilterField::wireName, Function.identity()));

    /** What no run is without. */
    private static final Set<FilterField> ALWAYS = EnumSet.of(ID, TRACE_ID, SESSION_ID, TENANT_ID, NAME, RUN_TYPE, STATUS,
            DOTTED_ORDER, APP_PATH, START_TIME, IS_ROOT);

    private final FieldKind kind;
    private final Optional<PairFamily> family;
    private final String expression;

    FilterField(FieldKind kind) {
        this.kind = kind;
        this.family = Optional.empty();
        this.expression = "{run}." + name().toLowerCase(Locale.ROOT);
    }

    FilterField(FieldKind kind, String expression) {
        this.kind = kind;
        this.family = Optional.empty();
        this.expression = expression;
    }

    FilterField(FieldKind kind, PairFamily family) {
        this.kind = kind;
        this.family = Optional.of(family);
        this.expression = "";
    }

    /** The field of that name in a filter. */
    public static Optional<FilterField> of(String wireName) {
        return Optional.ofNullable(BY_WIRE_NAME.get(wireName));
    }

    /** The name in a filter. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The names of the fields that a function takes. */
    static String namesTakenBy(FilterFunction function) {
        return Arrays.stream(values())
                .filter(field -> field.kind.takenBy(function))
                .map(FilterField::wireName)
                .collect(Collectors.joining(", "));
    }

    FieldKind kind() {
        return kind;
    }

    /** The pairs whose key or value this is, if it is one. */
    Optional<PairFamily> family() {
        return family;
    }

    boolean isKeyOf(PairFamily pairs) {
        return kind == FieldKind.KEY && family.equals(Optional.of(pairs));
    }

    boolean isValueOf(PairFamily pairs) {
        return kind != FieldKind.KEY && family.equals(Optional.of(pairs));
    }

    /** Whether every run has it. */
    boolean always() {
        return ALWAYS.contains(this);
    }

    /** The field of the run that stands under {@code alias}; not of keys and values. */
    String sql(String alias) {
        return expression.replace("{run}", alias);
    }
}
