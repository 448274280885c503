package dev.waybill.experiment.example;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonToken;

import dev.waybill.common.id.Ids;
import dev.waybill.experiment.body.Body;
import dev.waybill.experiment.body.MultipartParser;
import dev.waybill.experiment.json.Bytes;
import dev.waybill.experiment.json.JsonDocumentReader;
import dev.waybill.experiment.json.JsonInput;
import dev.waybill.experiment.json.Texts;
import dev.waybill.experiment.json.ViolationCollector;

/**
 * Parses and validates examples token by token; their JSON members are stored as the bytes that were sent. The 422 lists the
 * first hundred violations and their number.
 */
@Singleton
class ExampleReader {

    /** Maximum number of examples in one request; their ids stay in memory while they are written. */
    static final int MAX_EXAMPLES = 10_000;

    private static final int MAX_NESTING = 500;
    private static final int MAX_VIOLATIONS = 100;

    private final JsonDocumentReader documents = new JsonDocumentReader(MAX_NESTING);
    private final Ids ids;

    ExampleReader(Ids ids) {
        this.ids = ids;
    }

    /** Reads a body with one new example. */
    ReceivedExample readNew(Body body) {
        ViolationCollector violations = ViolationCollector.upTo(MAX_VIOLATIONS);
        ReceivedExample example = readOne(body.content(), violations);
        checkNew(example, violations);
        violations.throwIfAny();
        return example;
    }

    /** Reads a body with a list of new examples. */
    List<ReceivedExample> readNewList(Body body) {
        ViolationCollector violations = ViolationCollector.upTo(MAX_VIOLATIONS);
        List<ReceivedExample> examples = readList(body.content(), violations);
        for (int i = 0; i < examples.size(); i++) {
            checkNew(examples.get(i), violations.at(i));
        }
        violations.throwIfAny();
        return examples;
    }

    /** Reads a form with new examples of one dataset. */
    List<ReceivedExample> readNewForm(Body body, UUID datasetId) {
        ViolationCollector violations = ViolationCollector.upTo(MAX_VIOLATIONS);
        List<ReceivedExample> examples = new Form(datasetId, violations)
                .read(MultipartParser.parse(body));
        examples.forEach(example -> checkNew(example, violations.at(String.valueOf(example.id))));
        violations.throwIfAny();
        return examples;
    }

    /** Reads a body with the update of one example. */
    ReceivedExample readUpdate(Body body, UUID id) {
        ViolationCollector violations = ViolationCollector.upTo(MAX_VIOLATIONS);
        ReceivedExample example = readOne(body.content(), violations);
        example.id = id;
        checkUpdate(example, violations);
        violations.throwIfAny();
        return example;
    }

    /** Reads a form with updates of examples of one dataset. */
    List<ReceivedExample> readUpdateForm(Body body, UUID datasetId) {
        ViolationCollector violations = ViolationCollector.upTo(MAX_VIOLATIONS);
        List<ReceivedExample> examples = new Form(datasetId, violations)
                .read(MultipartParser.parse(body));
        examples.forEach(example -> checkUpdate(example, violations.at(String.valueOf(example.id))));
        violations.throwIfAny();
        return examples;
    }

    // Reads an example's own part; other members have parts of their own.
    private void readInto(ReceivedExample example, Bytes json, ViolationCollector violations) {
        documents.read(json, violations.path(),
                parser -> example.read(new JsonInput(parser, JsonInput.Source.of(json), violations)));
    }

    // Reads one member from a part of its own.
    private void readMember(ReceivedExample example, String member, Bytes json, ViolationCollector violations) {
        documents.read(json, violations.path(),
                parser -> example.readMember(member, new JsonInput(parser, JsonInput.Source.of(json), violations)));
    }

    private ReceivedExample readOne(Bytes json, ViolationCollector violations) {
        ReceivedExample example = new ReceivedExample();
        readInto(example, json, violations);
        return example;
    }

    private List<ReceivedExample> readList(Bytes json, ViolationCollector violations) {
        List<ReceivedExample> examples = new ArrayList<>();
        documents.read(json, "", parser -> {
            if (parser.currentToken() != JsonToken.START_ARRAY) {
                parser.skipChildren();
                violations.invalidHere("The body must be an array of examples", "type");
                return;
            }
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                if (examples.size() == MAX_EXAMPLES) {
                    violations.invalidHere("The body must have at most " + MAX_EXAMPLES + " examples", "too_many");
                    violations.throwIfAny();
                }
                ReceivedExample example = new ReceivedExample();
                example.read(new JsonInput(parser, JsonInput.Source.of(json), violations.at(examples.size())));
                examples.add(example);
            }
            if (examples.isEmpty()) {
                violations.invalidHere("The body must have at least one example", "missing");
            }
        });
        return examples;
    }

    private void checkNew(ReceivedExample example, ViolationCollector violations) {
        if (!example.inputsGiven) {
            violations.missing("inputs");
        }
        if (!example.datasetGiven) {
            violations.missing("dataset_id");
        }
        if (example.id == null) {
            example.id = ids.newId();
        }
    }

    // Splits are stored in the metadata, which an update replaces as a whole.
    private static void checkUpdate(ReceivedExample example, ViolationCollector violations) {
        if (example.splits != null && !example.metadataGiven) {
            violations.invalid("split", "can only be updated together with metadata; send the metadata too");
        }
    }

    /** Assembles the parts of one multipart form: {@code <id>}, {@code <id>.inputs} and {@code <id>.outputs}, in any order. */
    private final class Form {

        private final UUID datasetId;
        private final ViolationCollector violations;
        private final Map<UUID, ReceivedExample> examples = new LinkedHashMap<>();
        private final Set<String> names = new HashSet<>();

        Form(UUID datasetId, ViolationCollector violations) {
            this.datasetId = datasetId;
            this.violations = violations;
        }

        List<ReceivedExample> read(List<MultipartParser.Part> parts) {
            parts.forEach(this::read);
            examples.forEach((id, example) -> {
                if (!names.contains(id.toString())) {
                    violations.at(id.toString()).invalidHere(
                            "is missing: the request has members of this example but not the example itself",
                            "missing");
                }
                // The path and the part's name define dataset and id, whatever the part contains.
                example.id = id;
                example.datasetId = datasetId;
                example.datasetGiven = true;
            });
            return List.copyOf(examples.values());
        }

        private void read(MultipartParser.Part part) {
            ViolationCollector nested = violations.at(part.name());
            String[] segments = part.name().split("\\.", 2);
            Optional<UUID> id = Texts.parseId(segments[0]);
            String name = id.map(exampleId -> segments.length == 1 ? exampleId.toString() : exampleId + "." + segments[1])
                    .orElse(part.name());
            if (!names.add(name)) {
                nested.invalidHere("must not be repeated", "invalid");
            } else if (id.isEmpty()) {
                nested.invalidHere("must be named <example id>, <example id>.inputs or <example id>.outputs", "invalid");
            } else {
                read(examples.computeIfAbsent(id.get(), ignored -> new ReceivedExample()), segments, part, nested);
            }
        }

        private void read(ReceivedExample example, String[] segments, MultipartParser.Part part, ViolationCollector nested) {
            if (segments.length == 1) {
                readInto(example, part.content(), nested);
            } else if (segments[1].equals("inputs") || segments[1].equals("outputs")) {
                readMember(example, segments[1], part.content(), nested);
            } else if (segments[1].startsWith("attachment")) {
                nested.invalidHere("is not supported: examples cannot have attachments; send the example without it",
                        "invalid");
            } else {
                nested.invalidHere("must be named <example id>, <example id>.inputs or <example id>.outputs", "invalid");
            }
        }
    }
}
