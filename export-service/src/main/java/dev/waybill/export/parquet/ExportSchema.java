package dev.waybill.export.parquet;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.apache.parquet.format.SortingColumn;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

import dev.waybill.export.trace.RunColumn;

/**
 * The columns of an export's files: fields in the order asked for, typed by the format version. It depends on nothing
 * else, so that every file of an export has the same schema whatever its rows (contract.md "Bulk export").
 */
public record ExportSchema(List<ExportField> fields, FormatVersion version) {

    public ExportSchema {
        fields = List.copyOf(fields);
        if (fields.isEmpty() || EnumSet.copyOf(fields).size() != fields.size()) {
            throw new IllegalArgumentException("an export needs fields, each of them once");
        }
    }

    /** The schema of {@code fields} in {@code version}. */
    public static ExportSchema of(List<ExportField> fields, FormatVersion version) {
        return new ExportSchema(fields, version);
    }

    /** The schema of the fields of these names; null: of all fields. */
    public static ExportSchema named(@Nullable List<String> names, FormatVersion version) {
        return of(names == null ? ExportField.all()
                : names.stream().map(name -> ExportField.of(name).orElseThrow()).toList(), version);
    }

    /** Names and types as the manifest lists them. */
    public List<SchemaColumn> columns() {
        return fields.stream()
                .map(field -> new SchemaColumn(field.wireName(), typeOf(field).typeName()))
                .toList();
    }

    /** The hash of {@link #columns()}, in hexadecimal: equal when, and only when, files have the same columns. */
    public String sha256() {
        String text = columns().stream()
                .map(column -> column.name() + " " + column.type() + "\n")
                .collect(Collectors.joining());
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** What has to be read for these fields; start time and id always, for the files' first and last rows. */
    public Set<RunColumn> sources() {
        Set<RunColumn> sources = EnumSet.of(RunColumn.START_TIME, RunColumn.ID);
        fields.forEach(field -> sources.addAll(field.sources()));
        return sources;
    }

    /** The columns that the rows of every file are ordered by: start time, then id, as far as they are exported. */
    List<SortingColumn> order() {
        List<ExportField> key = fields.contains(ExportField.START_TIME)
                ? Stream.of(ExportField.START_TIME, ExportField.ID).filter(fields::contains).toList()
                : List.of();
        return key.stream()
                .map(field -> new SortingColumn(fields.indexOf(field), false, false))
                .toList();
    }

    /** The places of the columns of long text. */
    List<Integer> longTexts() {
        return IntStream.range(0, fields.size())
                .filter(column -> fields.get(column).pageSettings() == PageSettings.LONG)
                .boxed()
                .toList();
    }

    ExportType typeOf(ExportField field) {
        return field.type().in(version);
    }

    MessageType messageType() {
        List<Type> types = fields.stream()
                .map(field -> typeOf(field).column(field.wireName()))
                .toList();
        return new MessageType("run", types);
    }
}
