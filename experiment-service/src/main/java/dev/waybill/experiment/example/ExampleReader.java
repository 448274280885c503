package dev.waybill.experiment.example;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonToken;

import dev.waybill.common.id.Ids;
import dev.waybill.experiment.body.Body;
import dev.waybill.experiment.body.Bytes;
import dev.waybill.experiment.body.JsonDocumentReader;
import dev.waybill.experiment.body.JsonSource;
import dev.waybill.experiment.body.MultipartParser;
import dev.waybill.experiment.run.Violations;

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
    ExampleFields readNew(Body body) {
        Violations violations = Violations.upTo(MAX_VIOLATIONS);
        ExampleFields example = readOne(body.content(), violations);
        checkNew(example, violations);
        violations.throwIfAny();
        return example;
    }

    /** Reads a body with a list of new examples. */
    List<ExampleFields> readNewList(Body body) {
        Violations violations = Violations.upTo(MAX_VIOLATIONS);
        List<ExampleFields> examples = readList(body.content(), violations);
        for (int i = 0; i < examples.size(); i++) {
            checkNew(examples.get(i), violations.at(i));
        }
        violations.throwIfAny();
        return examples;
    }

    /** Reads a form with new examples of one dataset. */
    List<ExampleFields> readNewForm(Body body, UUID datasetId) {
        Violations violations = Violations.upTo(MAX_VIOLATIONS);
        List<ExampleFields> examples = new ExampleMultipartReader(this, datasetId, violations)
                .read(MultipartParser.parse(body));
        examples.forEach(example -> checkNew(example, violations.at(String.valueOf(example.id))));
        violations.throwIfAny();
        return examples;
    }

    /** Reads a body with the update of one example. */
    ExampleFields readUpdate(Body body, UUID id) {
        Violations violations = Violations.upTo(MAX_VIOLATIONS);
        ExampleFields example = readOne(body.content(), violations);
        example.id = id;
        checkUpdate(example, violations);
        violations.throwIfAny();
        return example;
    }

    /** Reads a form with updates of examples of one dataset. */
    List<ExampleFields> readUpdateForm(Body body, UUID datasetId) {
        Violations violations = Violations.upTo(MAX_VIOLATIONS);
        List<ExampleFields> examples = new ExampleMultipartReader(this, datasetId, violations)
                .read(MultipartParser.parse(body));
        examples.forEach(example -> checkUpdate(example, violations.at(String.valueOf(example.id))));
        violations.throwIfAny();
        return examples;
    }

    /** Reads an example's own part; other members have parts of their own. */
    void readInto(ExampleFields example, Bytes json, Violations violations) {
        documents.read(json, violations.path(),
                parser -> new ExampleMemberReader(parser, JsonSource.of(json), example, violations).readAll());
    }

    /** Reads one member from a part of its own. */
    void readMember(ExampleFields example, String member, Bytes json, Violations violations) {
        documents.read(json, violations.path(), parser -> {
            if (parser.currentToken() != JsonToken.VALUE_NULL) {
                new ExampleMemberReader(parser, JsonSource.of(json), example, violations).read(member);
            }
        });
    }

    private ExampleFields readOne(Bytes json, Violations violations) {
        ExampleFields example = new ExampleFields();
        readInto(example, json, violations);
        return example;
    }

    private List<ExampleFields> readList(Bytes json, Violations violations) {
        List<ExampleFields> examples = new ArrayList<>();
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
                ExampleFields example = new ExampleFields();
                new ExampleMemberReader(parser, JsonSource.of(json), example, violations.at(examples.size())).readAll();
                examples.add(example);
            }
            if (examples.isEmpty()) {
                violations.invalidHere("The body must have at least one example", "missing");
            }
        });
        return examples;
    }

    private void checkNew(ExampleFields example, Violations violations) {
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
    private static void checkUpdate(ExampleFields example, Violations violations) {
        if (example.splits != null && !example.metadataGiven) {
            violations.invalid("split", "can only be updated together with metadata; send the metadata too");
        }
    }
}
