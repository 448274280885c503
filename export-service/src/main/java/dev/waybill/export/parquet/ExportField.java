package dev.waybill.export.parquet;

import static dev.waybill.export.parquet.ExportType.COST;
import static dev.waybill.export.parquet.ExportType.COUNT;
import static dev.waybill.export.parquet.ExportType.FLAG;
import static dev.waybill.export.parquet.ExportType.LIST;
import static dev.waybill.export.parquet.ExportType.SECONDS;
import static dev.waybill.export.parquet.ExportType.TEXT;
import static dev.waybill.export.parquet.ExportType.TIME;
import static dev.waybill.export.parquet.PageSettings.DICTIONARY;
import static dev.waybill.export.parquet.PageSettings.LONG;
import static dev.waybill.export.parquet.PageSettings.ORDERED;
import static dev.waybill.export.parquet.PageSettings.PLAIN;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.waybill.export.trace.RunColumn;

/**
 * The exportable fields of a run (contract.md "Bulk export", columns) in their default order in files. Each defines its type,
 * its page settings and the columns that it is computed from.
 */
public enum ExportField {
    ID(TEXT, PLAIN, RunColumn.ID),
    TRACE_ID(TEXT, PLAIN, RunColumn.TRACE_ID),
    PARENT_RUN_ID(TEXT, PLAIN, RunColumn.PARENT_RUN_ID),
    PARENT_RUN_IDS(LIST, PLAIN, RunColumn.PARENT_RUN_IDS),
    DOTTED_ORDER(TEXT, PLAIN, RunColumn.DOTTED_ORDER),
    SESSION_ID(TEXT, DICTIONARY),
    SESSION_NAME(TEXT, DICTIONARY),
    NAME(TEXT, DICTIONARY, RunColumn.NAME),
    RUN_TYPE(TEXT, DICTIONARY, RunColumn.RUN_TYPE),
    STATUS(TEXT, DICTIONARY, RunColumn.STATUS),
    START_TIME(TIME, ORDERED, RunColumn.START_TIME),
    END_TIME(TIME, ORDERED, RunColumn.END_TIME),
    FIRST_TOKEN_TIME(TIME, ORDERED, RunColumn.FIRST_TOKEN_TIME),
    LATENCY(SECONDS, DICTIONARY, RunColumn.START_TIME, RunColumn.END_TIME),
    INPUTS(TEXT, LONG, RunColumn.INPUTS),
    OUTPUTS(TEXT, LONG, RunColumn.OUTPUTS),
    ERROR(TEXT, LONG, RunColumn.ERROR),
    EVENTS(TEXT, LONG, RunColumn.EVENTS),
    EXTRA(TEXT, LONG, RunColumn.EXTRA),
    METADATA(TEXT, LONG, RunColumn.METADATA),
    TAGS(LIST, DICTIONARY, RunColumn.TAGS),
    REFERENCE_EXAMPLE_ID(TEXT, PLAIN, RunColumn.REFERENCE_EXAMPLE_ID),
    PROMPT_TOKENS(COUNT, DICTIONARY, RunColumn.PROMPT_TOKENS),
    COMPLETION_TOKENS(COUNT, DICTIONARY, RunColumn.COMPLETION_TOKENS),
    TOTAL_TOKENS(COUNT, DICTIONARY, RunColumn.TOTAL_TOKENS),
    PROMPT_COST(COST, DICTIONARY, RunColumn.PROMPT_COST),
    COMPLETION_COST(COST, DICTIONARY, RunColumn.COMPLETION_COST),
    TOTAL_COST(COST, DICTIONARY, RunColumn.TOTAL_COST),
    /** The same JSON as in run queries; null without feedback on the run. */
    FEEDBACK_STATS(TEXT, LONG, RunColumn.FEEDBACK_STATS),
    MANIFEST_ID(TEXT, PLAIN, RunColumn.MANIFEST_ID),
    /** The path of the run in a web console, in the form that existing clients use. */
    APP_PATH(TEXT, PLAIN, RunColumn.ID, RunColumn.TRACE_ID, RunColumn.START_TIME),
    TRACE_TIER(TEXT, DICTIONARY, RunColumn.TRACE_TIER),
    TENANT_ID(TEXT, DICTIONARY),
    IS_ROOT(FLAG, DICTIONARY, RunColumn.PARENT_RUN_ID);

    private static final Map<String, ExportField> BY_WIRE_NAME = Arrays.stream(values())
            .collect(Collectors.toUnmodifiableMap(ExportField::wireName, Function.identity()));

    private final ExportType type;
    private final PageSettings pageSettings;
    private final Set<RunColumn> sources;

    ExportField(ExportType type, PageSettings pageSettings, RunColumn... sources) {
        this.type = type;
        this.pageSettings = pageSettings;
        this.sources = Set.of(sources);
    }

    /** Returns the field with this name in requests. */
    public static Optional<ExportField> of(String wireName) {
        return Optional.ofNullable(BY_WIRE_NAME.get(wireName));
    }

    /** Returns all fields, which are exported if {@code export_fields} is missing. */
    public static List<ExportField> all() {
        return List.of(values());
    }

    /** Returns the name in requests and of the column in files. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    ExportType type() {
        return type;
    }

    PageSettings pageSettings() {
        return pageSettings;
    }

    /** Returns whether row groups have its smallest and largest text, in either format version. */
    boolean hasBounds() {
        return type == TEXT && pageSettings == DICTIONARY;
    }

    /** Returns whether readers look up single values, so that a Bloom filter is useful. */
    boolean hasBloomFilter() {
        return this == ID || this == TRACE_ID;
    }

    Set<RunColumn> sources() {
        return sources;
    }
}
