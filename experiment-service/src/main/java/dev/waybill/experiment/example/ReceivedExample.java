package dev.waybill.experiment.example;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonToken;

import dev.waybill.experiment.json.Bytes;
import dev.waybill.experiment.json.JsonInput;
import dev.waybill.experiment.json.JsonMembers;
import dev.waybill.experiment.json.Texts;
import dev.waybill.experiment.json.ViolationCollector;

/**
 * Members of one example in a request, filled while the request is parsed; absent members are null. Clients send splits apart
 * from the metadata but read them there, as {@code dataset_split}.
 */
final class ReceivedExample {

    private static final String METADATA_SPLITS = "dataset_split";
    private static final String OBJECT = "must be an object";
    private static final JsonMembers<ReceivedExample> MEMBERS = JsonMembers.<ReceivedExample> table()
            .id("id", (example, id) -> example.id = id)
            .id("dataset_id", (example, id) -> {
                example.datasetGiven = true;
                example.datasetId = id;
            })
            .member("inputs", (example, in) -> {
                example.inputsGiven = true;
                example.inputs = in.object(OBJECT);
            })
            .object("outputs", OBJECT, (example, json) -> example.outputs = json)
            .member("metadata", (example, in) -> {
                example.metadataGiven = true;
                example.metadata = metadata(example, in);
            })
            .member("split", (example, in) -> {
                example.splitsGiven = true;
                example.splits = splits(in);
            })
            .id("source_run_id", (example, id) -> example.sourceRunId = id)
            .timestamp("created_at", (example, time) -> example.createdAt = time)
            .member("attachments", (example, in) -> rejectAttachments(in))
            .member("attachments_operations", (example, in) -> rejectAttachments(in))
            .member("use_source_run_io", (example, in) -> rejectSourceRun(in))
            .member("use_source_run_attachments", (example, in) -> rejectSourceRun(in))
            .build();
    private static final JsonMembers<ReceivedExample> METADATA = JsonMembers.<ReceivedExample> table()
            .member(METADATA_SPLITS, (example, in) -> {
                example.metadataSplitsGiven = true;
                example.metadataSplits = splits(in);
            })
            .build();

    @Nullable
    UUID id;
    @Nullable
    UUID datasetId;
    @Nullable
    Bytes inputs;
    @Nullable
    Bytes outputs;
    @Nullable
    Bytes metadata;
    @Nullable
    List<String> splits;
    @Nullable
    UUID sourceRunId;
    @Nullable
    Instant createdAt;
    // An invalid member must not also be reported as missing.
    boolean inputsGiven;
    boolean datasetGiven;
    boolean metadataGiven;
    private @Nullable List<String> metadataSplits;
    private boolean splitsGiven;
    private boolean metadataSplitsGiven;

    /** Reads the object at the input's position. */
    void read(JsonInput in) throws IOException {
        if (!in.is(JsonToken.START_OBJECT)) {
            in.wrongTypeHere(OBJECT);
            return;
        }
        MEMBERS.read(this, in);
        mergeSplits(in.violations());
    }

    /** Reads the value at the input's position as one member. */
    void readMember(String member, JsonInput in) throws IOException {
        MEMBERS.readMember(this, in, member);
    }

    private static @Nullable Bytes metadata(ReceivedExample example, JsonInput in) throws IOException {
        if (!in.is(JsonToken.START_OBJECT)) {
            return in.wrongType(OBJECT);
        }
        long from = in.offset();
        METADATA.read(example, in.at("metadata"));
        return in.sliceFrom(from);
    }

    private static @Nullable List<String> splits(JsonInput in) throws IOException {
        return in.is(JsonToken.VALUE_STRING) ? List.of(Texts.storable(in.parser().getText()))
                : in.texts("must be a string or an array of strings");
    }

    private void mergeSplits(ViolationCollector violations) {
        if (!splitsGiven) {
            splits = metadataSplits;
        } else if (metadataSplitsGiven) {
            violations.invalid("split", "must not be combined with metadata." + METADATA_SPLITS + ", which means the same");
        } else if (splits != null) {
            metadata = withSplits(metadata, splits);
        }
    }

    private static Bytes withSplits(@Nullable Bytes metadata, List<String> splits) {
        List<String> quoted = splits.stream().map(JsonInput::quote).toList();
        String others = metadata == null ? "" : metadata.slice(1, metadata.length() - 1).toString();
        return Bytes.of("{\"" + METADATA_SPLITS + "\":[" + String.join(",", quoted) + "]"
                + (others.isBlank() ? "" : "," + others) + "}");
    }

    // Rejects attachments, because ignoring them would lose data.
    private static void rejectAttachments(JsonInput in) throws IOException {
        long from = in.offset();
        in.parser().skipChildren();
        if (in.lengthFrom(from) > "{}".length()) {
            in.violations().invalid(in.member(),
                    "is not supported: examples cannot have attachments; send the example without it");
        }
    }

    private static void rejectSourceRun(JsonInput in) {
        if (in.is(JsonToken.VALUE_TRUE)) {
            in.violations().invalid(in.member(), "must not be true; send inputs and outputs instead");
        }
    }
}
