package dev.waybill.export.parquet;

import static dev.waybill.export.parquet.ExportField.Encoding.COST;
import static dev.waybill.export.parquet.ExportField.Encoding.COUNT;
import static dev.waybill.export.parquet.ExportField.Encoding.TEXT;
import static dev.waybill.export.parquet.ExportField.Encoding.TEXTS;
import static dev.waybill.export.parquet.ExportField.Encoding.TIME;
import static dev.waybill.export.parquet.ExportField.Encoding.UUID;
import static dev.waybill.export.parquet.ExportField.Encoding.UUIDS;
import static dev.waybill.export.parquet.ExportField.PageSettings.DICTIONARY;
import static dev.waybill.export.parquet.ExportField.PageSettings.LONG;
import static dev.waybill.export.parquet.ExportField.PageSettings.ORDERED;
import static dev.waybill.export.parquet.ExportField.PageSettings.PLAIN;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.waybill.export.trace.RunColumn;

/**
 * The exportable fields of a run (contract.md "Bulk export", columns) in their default order in files. A field is one entry:
 * how
 * its values are computed and encoded, its page settings, and the columns that it is computed from.
 */
public enum ExportField {
    ID(UUID, PLAIN, RunColumn.ID),
    TRACE_ID(UUID, PLAIN, RunColumn.TRACE_ID),
    PARENT_RUN_ID(UUID, PLAIN, RunColumn.PARENT_RUN_ID),
    PARENT_RUN_IDS(UUIDS, PLAIN, RunColumn.PARENT_RUN_IDS),
    DOTTED_ORDER(TEXT, PLAIN, RunColumn.DOTTED_ORDER),
    SESSION_ID(TEXT, DICTIONARY),
    SESSION_NAME(TEXT, DICTIONARY),
    NAME(TEXT, DICTIONARY, RunColumn.NAME),
    RUN_TYPE(TEXT, DICTIONARY, RunColumn.RUN_TYPE),
    STATUS(TEXT, DICTIONARY, RunColumn.STATUS),
    START_TIME(TIME, ORDERED, RunColumn.START_TIME),
    END_TIME(TIME, ORDERED, RunColumn.END_TIME),
    FIRST_TOKEN_TIME(TIME, ORDERED, RunColumn.FIRST_TOKEN_TIME),
    LATENCY(Encoding.LATENCY, DICTIONARY, RunColumn.END_TIME, RunColumn.START_TIME),
    INPUTS(TEXT, LONG, RunColumn.INPUTS),
    OUTPUTS(TEXT, LONG, RunColumn.OUTPUTS),
    ERROR(TEXT, LONG, RunColumn.ERROR),
    EVENTS(TEXT, LONG, RunColumn.EVENTS),
    EXTRA(TEXT, LONG, RunColumn.EXTRA),
    METADATA(TEXT, LONG, RunColumn.METADATA),
    TAGS(TEXTS, DICTIONARY, RunColumn.TAGS),
    REFERENCE_EXAMPLE_ID(UUID, PLAIN, RunColumn.REFERENCE_EXAMPLE_ID),
    PROMPT_TOKENS(COUNT, DICTIONARY, RunColumn.PROMPT_TOKENS),
    COMPLETION_TOKENS(COUNT, DICTIONARY, RunColumn.COMPLETION_TOKENS),
    TOTAL_TOKENS(COUNT, DICTIONARY, RunColumn.TOTAL_TOKENS),
    PROMPT_COST(COST, DICTIONARY, RunColumn.PROMPT_COST),
    COMPLETION_COST(COST, DICTIONARY, RunColumn.COMPLETION_COST),
    TOTAL_COST(COST, DICTIONARY, RunColumn.TOTAL_COST),
    /** The same JSON as in run queries; null without feedback on the run. */
    FEEDBACK_STATS(TEXT, LONG, RunColumn.FEEDBACK_STATS),
    MANIFEST_ID(UUID, PLAIN, RunColumn.MANIFEST_ID),
    /** The path of the run in a web console, in the form that existing clients use. */
    APP_PATH(Encoding.APP_PATH, PLAIN, RunColumn.ID, RunColumn.TRACE_ID, RunColumn.START_TIME),
    TRACE_TIER(TEXT, DICTIONARY, RunColumn.TRACE_TIER),
    TENANT_ID(TEXT, DICTIONARY),
    IS_ROOT(Encoding.IS_ROOT, DICTIONARY, RunColumn.PARENT_RUN_ID),
    /** The thread (conversation); like every later field, exported only if {@code export_fields} names it. */
    THREAD_ID(TEXT, DICTIONARY, RunColumn.THREAD_ID),
    /** Files of the lake only; not a field of exports. */
    SERIALIZED(TEXT, LONG, RunColumn.SERIALIZED);

    private static final Map<String, ExportField> BY_WIRE_NAME = EnumSet.range(ID, THREAD_ID).stream()
            .collect(Collectors.toUnmodifiableMap(ExportField::wireName, Function.identity()));

    private static final List<ExportField> DEFAULTS = List.copyOf(EnumSet.range(ID, IS_ROOT));

    private final Encoding encoding;
    private final PageSettings pageSettings;
    private final List<RunColumn> sources;

    ExportField(Encoding encoding, PageSettings pageSettings, RunColumn... sources) {
        this.encoding = encoding;
        this.pageSettings = pageSettings;
        this.sources = List.of(sources);
    }

    /** Returns the field with this name in requests. */
    public static Optional<ExportField> of(String wireName) {
        return Optional.ofNullable(BY_WIRE_NAME.get(wireName));
    }

    /** Returns the fields that are exported if {@code export_fields} is missing: those of contract.md. */
    public static List<ExportField> defaults() {
        return DEFAULTS;
    }

    /** Returns the name in requests and of the column in files. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    Encoding encoding() {
        return encoding;
    }

    /** Returns the type of its column in files. */
    ExportType type(FormatVersion version) {
        return version == FormatVersion.V1 ? ExportType.TEXT : encoding.type;
    }

    PageSettings pageSettings() {
        return pageSettings;
    }

    /** Returns whether row groups have its smallest and largest text, in either format version. */
    boolean hasBounds() {
        return encoding.type == ExportType.TEXT && pageSettings == DICTIONARY;
    }

    /** Returns whether readers look up single values, so that a Bloom filter is useful. */
    boolean hasBloomFilter() {
        return this == ID || this == TRACE_ID;
    }

    /**
     * Returns the columns to read, none for a text of the {@link ExportedSession}; the first decides whether the field is null.
     */
    List<RunColumn> sources() {
        return sources;
    }

    /** How values are computed from the sources, and their type in v2_beta; {@link FieldEncoders} encodes them. */
    enum Encoding {
        TEXT(ExportType.TEXT),
        UUID(ExportType.TEXT),
        TIME(ExportType.TIME),
        COUNT(ExportType.COUNT),
        COST(ExportType.COST),
        TEXTS(ExportType.LIST),
        UUIDS(ExportType.LIST),
        LATENCY(ExportType.SECONDS),
        IS_ROOT(ExportType.FLAG),
        APP_PATH(ExportType.TEXT);

        private final ExportType type;

        Encoding(ExportType type) {
            this.type = type;
        }
    }

    /** The encoding of a column's pages. */
    enum PageSettings {
        /** For few distinct values: dictionary encoding. */
        DICTIONARY,
        /**
         * For values by which rows are sorted: plain encoding, in small pages with statistics, so that readers can skip pages.
         */
        ORDERED,
        /** For mostly unique values: plain encoding, in small pages without statistics, which would exclude nothing. */
        PLAIN,
        /**
         * For long text: dictionary encoding while it saves space, then plain encoding, in large pages, because text repeats
         * over
         * many rows.
         */
        LONG
    }
}
