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
import dev.waybill.experiment.run.Findings;

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
        Findings found = Findings.upTo(MAX_VIOLATIONS);
        ExampleFields example = readOne(body.content(), found);
        checkNew(example, found);
        found.throwIfAny();
        return example;
    }

    /** Reads a body with a list of new examples. */
    List<ExampleFields> readNewList(Body body) {
        Findings found = Findings.upTo(MAX_VIOLATIONS);
        List<ExampleFields> examples = readList(body.content(), found);
        for (int i = 0; i < examples.size(); i++) {
            checkNew(examples.get(i), found.at(i));
        }
        found.throwIfAny();
        return examples;
    }

    /** Reads a form with new examples of one dataset. */
    List<ExampleFields> readNewForm(Body body, UUID datasetId) {
        Findings found = Findings.upTo(MAX_VIOLATIONS);
        List<ExampleFields> examples = new ExampleMultipartReader(this, datasetId, found).read(MultipartParser.parse(body));
        examples.forEach(example -> checkNew(example, found.at(String.valueOf(example.id))));
        found.throwIfAny();
        return examples;
    }

    /** Reads a body with the update of one example. */
    ExampleFields readUpdate(Body body, UUID id) {
        Findings found = Findings.upTo(MAX_VIOLATIONS);
        ExampleFields example = readOne(body.content(), found);
        example.id = id;
        checkUpdate(example, found);
        found.throwIfAny();
        return example;
    }

    /** Reads a form with updates of examples of one dataset. */
    List<ExampleFields> readUpdateForm(Body body, UUID datasetId) {
        Findings found = Findings.upTo(MAX_VIOLATIONS);
        List<ExampleFields> examples = new ExampleMultipartReader(this, datasetId, found).read(MultipartParser.parse(body));
        examples.forEach(example -> checkUpdate(example, found.at(String.valueOf(example.id))));
        found.throwIfAny();
        return examples;
    }

    /** Reads an example's own part; other members have parts of their own. */
    void readInto(ExampleFields example, Bytes json, Findings found) {
        documents.read(json, found.path(),
                parser -> new ExampleMemberReader(parser, JsonSource.of(json), example, found).readAll());
    }

    /** Reads one member from a part of its own. */
    void readMember(ExampleFields example, String member, Bytes json, Findings found) {
        documents.read(json, found.path(), parser -> {
            if (parser.currentToken() != JsonToken.VALUE_NULL) {
                new ExampleMemberReader(parser, JsonSource.of(json), example, found).read(member);
            }
        });
    }

    private ExampleFields readOne(Bytes json, Findings found) {
        ExampleFields example = new ExampleFields();
        readInto(example, json, found);
        return example;
    }

    private List<ExampleFields> readList(Bytes json, Findings found) {
        List<ExampleFields> examples = new ArrayList<>();
        documents.read(json, "", parser -> {
            if (parser.currentToken() != JsonToken.START_ARRAY) {
                parser.skipChildren();
                found.invalidHere("The body must be an array of examples", "type");
                return;
            }
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                if (examples.size() == MAX_EXAMPLES) {
                    found.invalidHere("The body must have at most " + MAX_EXAMPLES + " examples", "too_many");
                    found.throwIfAny();
                }
                ExampleFields example = new ExampleFields();
                new ExampleMemberReader(parser, JsonSource.of(json), example, found.at(examples.size())).readAll();
                examples.add(example);
            }
            if (examples.isEmpty()) {
                found.invalidHere("The body must have at least one example", "missing");
            }
        });
        return examples;
    }

    private void checkNew(ExampleFields example, Findings found) {
        if (!example.inputsGiven) {
            found.missing("inputs");
        }
        if (!example.datasetGiven) {
            found.missing("dataset_id");
        }
        if (example.id == null) {
            example.id = ids.newId();
        }
    }

    // Splits are stored in the metadata, which an update replaces as a whole.
    private static void checkUpdate(ExampleFields example, Findings found) {
        if (example.splits != null && !example.metadataGiven) {
            found.invalid("split", "can only be updated together with metadata; send the metadata too");
        }
    }
}
