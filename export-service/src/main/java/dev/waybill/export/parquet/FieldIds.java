package dev.waybill.export.parquet;

import static java.util.Map.entry;

import java.util.Map;
import java.util.Optional;

import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.Type;

/**
 * Ids of the columns in files of the lake, by which tables identify columns. An id never changes and is never used again: a new
 * column gets the next id, and the elements of a list the id after it.
 */
public final class FieldIds {

    /** The highest id of a column in the first release; a table that is created without other columns has the same ids. */
    public static final int LAST_OF_FIRST_RELEASE = 32;

    private static final Map<ExportField, Integer> COLUMNS = Map.ofEntries(
            entry(ExportField.ID, 1), entry(ExportField.TRACE_ID, 2), entry(ExportField.PARENT_RUN_ID, 3),
            entry(ExportField.PARENT_RUN_IDS, 4), entry(ExportField.DOTTED_ORDER, 5), entry(ExportField.SESSION_ID, 6),
            entry(ExportField.NAME, 7), entry(ExportField.RUN_TYPE, 8), entry(ExportField.STATUS, 9),
            entry(ExportField.START_TIME, 10), entry(ExportField.END_TIME, 11), entry(ExportField.FIRST_TOKEN_TIME, 12),
            entry(ExportField.INPUTS, 13), entry(ExportField.OUTPUTS, 14), entry(ExportField.ERROR, 15),
            entry(ExportField.EVENTS, 16), entry(ExportField.EXTRA, 17), entry(ExportField.METADATA, 18),
            entry(ExportField.TAGS, 19), entry(ExportField.REFERENCE_EXAMPLE_ID, 20),
            entry(ExportField.PROMPT_TOKENS, 21), entry(ExportField.COMPLETION_TOKENS, 22),
            entry(ExportField.TOTAL_TOKENS, 23), entry(ExportField.PROMPT_COST, 24),
            entry(ExportField.COMPLETION_COST, 25), entry(ExportField.TOTAL_COST, 26), entry(ExportField.MANIFEST_ID, 27),
            entry(ExportField.TRACE_TIER, 28), entry(ExportField.TENANT_ID, 29), entry(ExportField.IS_ROOT, 30),
            entry(ExportField.THREAD_ID, 31), entry(ExportField.SERIALIZED, 32), entry(ExportField.LATENCY, 35));
    private static final Map<ExportField, Integer> ELEMENTS = Map.of(ExportField.PARENT_RUN_IDS, 33, ExportField.TAGS, 34);

    private FieldIds() {
    }

    /** Returns the id of a column of the lake. */
    public static int column(ExportField field) {
        return Optional.ofNullable(COLUMNS.get(field))
                .orElseThrow(() -> new IllegalArgumentException(field + " is not in the lake"));
    }

    /** Returns the id of the elements of a list. */
    public static int element(ExportField field) {
        return Optional.ofNullable(ELEMENTS.get(field))
                .orElseThrow(() -> new IllegalArgumentException(field + " is not a list of the lake"));
    }

    /** Returns the column with its ids. */
    static Type withIds(ExportField field, Type column) {
        if (column.isPrimitive()) {
            return column.withId(column(field));
        }
        GroupType list = column.asGroupType();
        GroupType repeated = list.getType(0).asGroupType();
        Type element = repeated.getType(0).withId(element(field));
        return list.withNewFields(repeated.withNewFields(element)).withId(column(field));
    }
}
