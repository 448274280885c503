package dev.waybill.experiment.example;

import java.io.IOException;
import java.util.List;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;

import dev.waybill.experiment.body.Bytes;
import dev.waybill.experiment.body.JsonSource;
import dev.waybill.experiment.run.JsonValues;
import dev.waybill.experiment.run.Violations;

/**
 * Reads the members of one example. Clients send splits apart from the metadata but read them there, as {@code
 * dataset_split}.
 */
final class ExampleMemberReader {

    private static final String METADATA_SPLITS = "dataset_split";

    private final JsonParser json;
    private final JsonSource source;
    private final ExampleFields example;
    private final Violations violations;
    private @Nullable List<String> metadataSplits;
    private boolean splitsGiven;
    private boolean metadataSplitsGiven;

    ExampleMemberReader(JsonParser json, JsonSource source, ExampleFields example, Violations violations) {
        this.json = json;
        this.source = source;
        this.example = example;
        this.violations = violations;
    }

    /** Reads the object at the parser's position. */
    void readAll() throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            json.skipChildren();
            violations.invalidHere("must be an object", "type");
            return;
        }
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String member = json.currentName();
            if (json.nextToken() != JsonToken.VALUE_NULL) {
                read(member);
            }
        }
        mergeSplits();
    }

    /** Reads the value at the parser's position as one member. */
    void read(String member) throws IOException {
        switch (member) {
            case "id" -> example.id = JsonValues.id(json, member, violations);
            case "dataset_id" -> {
                example.datasetGiven = true;
                example.datasetId = JsonValues.id(json, member, violations);
            }
            case "inputs" -> {
                example.inputsGiven = true;
                example.inputs = object(member);
            }
            case "outputs" -> example.outputs = object(member);
            case "metadata" -> {
                example.metadataGiven = true;
                example.metadata = metadata();
            }
            case "split" -> {
                splitsGiven = true;
                example.splits = splits(member, violations);
            }
            case "source_run_id" -> example.sourceRunId = JsonValues.id(json, member, violations);
            case "created_at" -> example.createdAt = JsonValues.timestamp(json, member, violations);
            case "attachments", "attachments_operations" -> rejectAttachments(member);
            case "use_source_run_io", "use_source_run_attachments" -> rejectSourceRun(member);
            default -> json.skipChildren();
        }
    }

    private @Nullable Bytes object(String member) throws IOException {
        return json.currentToken() == JsonToken.START_OBJECT ? source.readRaw(json)
                : JsonValues.wrongType(json, member, "must be an object", violations);
    }

    private @Nullable Bytes metadata() throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            return JsonValues.wrongType(json, "metadata", "must be an object", violations);
        }
        long from = json.currentTokenLocation().getByteOffset();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            boolean splits = json.currentName().equals(METADATA_SPLITS);
            if (json.nextToken() != JsonToken.VALUE_NULL && splits) {
                metadataSplitsGiven = true;
                metadataSplits = splits(METADATA_SPLITS, violations.at("metadata"));
            } else {
                json.skipChildren();
            }
        }
        return source.slice(from, json.currentLocation().getByteOffset());
    }

    private @Nullable List<String> splits(String member, Violations nested) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
            return List.of(JsonValues.storable(json.getText()));
        }
        return JsonValues.texts(json, member, "must be a string or an array of strings", nested);
    }

    private void mergeSplits() {
        if (!splitsGiven) {
            example.splits = metadataSplits;
        } else if (metadataSplitsGiven) {
            violations.invalid("split", "must not be combined with metadata." + METADATA_SPLITS + ", which means the same");
        } else if (example.splits != null) {
            example.metadata = withSplits(example.metadata, example.splits);
        }
    }

    private static Bytes withSplits(@Nullable Bytes metadata, List<String> splits) {
        List<String> quoted = splits.stream().map(ExampleMemberReader::quote).toList();
        String others = metadata == null ? "" : metadata.slice(1, metadata.length() - 1).toString();
        return Bytes.of("{\"" + METADATA_SPLITS + "\":[" + String.join(",", quoted) + "]"
                + (others.isBlank() ? "" : "," + others) + "}");
    }

    private static String quote(String text) {
        return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
    }

    // Rejects attachments, because ignoring them would lose data.
    private void rejectAttachments(String member) throws IOException {
        long from = json.currentTokenLocation().getByteOffset();
        json.skipChildren();
        if (json.currentLocation().getByteOffset() - from > "{}".length()) {
            violations.invalid(member, "is not supported: examples cannot have attachments; send the example without it");
        }
    }

    private void rejectSourceRun(String member) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_TRUE) {
            violations.invalid(member, "must not be true; send inputs and outputs instead");
        }
        json.skipChildren();
    }
}
