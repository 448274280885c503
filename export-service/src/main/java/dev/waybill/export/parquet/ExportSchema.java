package dev.waybill.export.parquet;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.apache.parquet.format.SortingColumn;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.Digests;
import dev.waybill.export.trace.RunColumn;

/**
 * The columns of an export's files: the requested fields in order, typed by the format version. It depends on nothing else, so
 * all files of an export have the same schema, whatever their rows (contract.md "Bulk export").
 *
 * @param hasSeveralSessions whether rows are sorted by session first and contain its id
 */
public record ExportSchema(List<ExportField> fields, FormatVersion version, boolean hasSeveralSessions) {

    /** Fields that a reader computes from others, or that change without the run. */
    private static final Set<ExportField> NOT_IN_LAKE = EnumSet.of(ExportField.SESSION_NAME, ExportField.FEEDBACK_STATS,
            ExportField.APP_PATH);

    public ExportSchema {
        fields = List.copyOf(fields);
        if (fields.isEmpty() || EnumSet.copyOf(fields).size() != fields.size()) {
            throw new IllegalArgumentException("an export requires at least one field and no duplicates");
        }
    }

    /** Returns the schema of {@code fields} in {@code version}. */
    public static ExportSchema of(List<ExportField> fields, FormatVersion version) {
        return new ExportSchema(fields, version, false);
    }

    /** Returns the schema of the lake's files: everything that a query of runs returns, for several sessions. */
    public static ExportSchema lake() {
        return new ExportSchema(List.copyOf(EnumSet.complementOf(EnumSet.copyOf(NOT_IN_LAKE))), FormatVersion.V2_BETA, true);
    }

    /** Returns the schema of the named fields; null selects the default ones. */
    public static ExportSchema named(@Nullable List<String> names, FormatVersion version) {
        return of(names == null ? ExportField.defaults()
                : names.stream().map(name -> ExportField.of(name).orElseThrow()).toList(), version);
    }

    /** A column in the manifest. */
    public record Column(String name, String type) {
    }

    /** Returns names and types as listed in the manifest. */
    public List<Column> columns() {
        return fields.stream()
                .map(field -> new Column(field.wireName(), typeOf(field).typeName()))
                .toList();
    }

    /** Returns the hash of {@link #columns()} in hexadecimal: equal if and only if files have the same columns. */
    public String sha256() {
        String text = columns().stream()
                .map(column -> column.name() + " " + column.type() + "\n")
                .collect(Collectors.joining());
        return Digests.sha256Hex(text);
    }

    /**
     * Returns the columns to read for these fields; always includes start time and id, which the files' first and last rows
     * require.
     */
    public Set<RunColumn> sources() {
        Set<RunColumn> sources = EnumSet.of(RunColumn.START_TIME, RunColumn.ID);
        fields.forEach(field -> sources.addAll(field.sources()));
        if (hasSeveralSessions) {
            sources.add(RunColumn.SESSION_ID);
        }
        return sources;
    }

    /** Returns the columns by which the rows of every file are sorted: start time, then id, within each session. */
    List<SortingColumn> order() {
        List<ExportField> key = fields.contains(ExportField.START_TIME)
                ? Stream.of(ExportField.SESSION_ID, ExportField.START_TIME, ExportField.ID)
                        .filter(field -> hasSeveralSessions || field != ExportField.SESSION_ID)
                        .filter(fields::contains)
                        .toList()
                : List.of();
        return key.stream()
                .map(field -> new SortingColumn(fields.indexOf(field), false, false))
                .toList();
    }

    /** Returns the indexes of the columns of long text. */
    List<Integer> longTexts() {
        return IntStream.range(0, fields.size())
                .filter(column -> fields.get(column).pageSettings() == ExportField.PageSettings.LONG)
                .boxed()
                .toList();
    }

    ExportType typeOf(ExportField field) {
        return field.type(version);
    }

    MessageType messageType() {
        List<Type> types = fields.stream()
                .map(this::column)
                .toList();
        return new MessageType("run", types);
    }

    private Type column(ExportField field) {
        Type column = typeOf(field).column(field.wireName());
        return hasSeveralSessions ? FieldIds.withIds(field, column) : column;
    }
}
