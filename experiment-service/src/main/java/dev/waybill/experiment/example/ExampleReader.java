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
 * Reads examples token by token: their members that are JSON stay the bytes they came as. All that is wrong with a request is
 * told at once: the first hundred findings and how many there are.
 */
@Singleton
class ExampleReader {

    /** How many may come in one request; that they are there is remembered while they are written. */
    static final int MOST_AT_ONCE = 10_000;

    private static final int DEEPEST_NESTING = 500;
    private static final int FINDINGS_TOLD = 100;

    private final JsonDocumentReader documents = new JsonDocumentReader(DEEPEST_NESTING);
    private final Ids ids;

    ExampleReader(Ids ids) {
        this.ids = ids;
    }

    /** A body that is one new example. */
    ExampleFields newOne(Body body) {
        Findings found = Findings.upTo(FINDINGS_TOLD);
        ExampleFields example = one(body.content(), found);
        checkNew(example, found);
        found.throwIfAny();
        return example;
    }

    /** A body that is a list of new examples. */
    List<ExampleFields> newList(Body body) {
        Findings found = Findings.upTo(FINDINGS_TOLD);
        List<ExampleFields> examples = list(body.content(), found);
        for (int i = 0; i < examples.size(); i++) {
            checkNew(examples.get(i), found.at(i));
        }
        found.throwIfAny();
        return examples;
    }

    /** A form of new examples of one dataset. */
    List<ExampleFields> newForm(Body body, UUID datasetId) {
        Findings found = Findings.upTo(FINDINGS_TOLD);
        List<ExampleFields> examples = new ExampleMultipartReader(this, datasetId, found).read(MultipartParser.parse(body));
        examples.forEach(example -> checkNew(example, found.at(String.valueOf(example.id))));
        found.throwIfAny();
        return examples;
    }

    /** A body that changes one example. */
    ExampleFields change(Body body, UUID id) {
        Findings found = Findings.upTo(FINDINGS_TOLD);
        ExampleFields example = one(body.content(), found);
        example.id = id;
        checkChange(example, found);
        found.throwIfAny();
        return example;
    }

    /** A form that changes examples of one dataset. */
    List<ExampleFields> changeForm(Body body, UUID datasetId) {
        Findings found = Findings.upTo(FINDINGS_TOLD);
        List<ExampleFields> examples = new ExampleMultipartReader(this, datasetId, found).read(MultipartParser.parse(body));
        examples.forEach(example -> checkChange(example, found.at(String.valueOf(example.id))));
        found.throwIfAny();
        return examples;
    }

    /** Reads an example's own part, whose other members come in parts of their own. */
    void readInto(ExampleFields example, Bytes json, Findings found) {
        documents.read(json, found.path(),
                parser -> new ExampleMemberReader(parser, JsonSource.of(json), example, found).readAll());
    }

    /** Reads one member that came in a part of its own. */
    void readMember(ExampleFields example, String member, Bytes json, Findings found) {
        documents.read(json, found.path(), parser -> {
            if (parser.currentToken() != JsonToken.VALUE_NULL) {
                new ExampleMemberReader(parser, JsonSource.of(json), example, found).read(member);
            }
        });
    }

    private ExampleFields one(Bytes json, Findings found) {
        ExampleFields example = new ExampleFields();
        readInto(example, json, found);
        return example;
    }

    private List<ExampleFields> list(Bytes json, Findings found) {
        List<ExampleFields> examples = new ArrayList<>();
        documents.read(json, "", parser -> {
            if (parser.currentToken() != JsonToken.START_ARRAY) {
                parser.skipChildren();
                found.invalidHere("The body must be an array of examples", "type");
                return;
            }
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                if (examples.size() == MOST_AT_ONCE) {
                    found.invalidHere("The body must have at most " + MOST_AT_ONCE + " examples", "too_many");
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

    // Its splits stand in the metadata, which is replaced as a whole.
    private static void checkChange(ExampleFields example, Findings found) {
        if (example.splits != null && !example.metadataGiven) {
            found.invalid("split", "changes with metadata only: give the metadata too");
        }
    }
}
