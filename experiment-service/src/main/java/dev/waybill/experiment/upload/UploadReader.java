package dev.waybill.experiment.upload;

import java.io.IOException;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.waybill.experiment.body.Bytes;
import dev.waybill.experiment.body.JsonDocumentReader;
import dev.waybill.experiment.body.JsonSource;
import dev.waybill.experiment.body.SpooledBody;
import dev.waybill.experiment.dataset.DatasetReference;
import dev.waybill.experiment.run.Findings;
import dev.waybill.experiment.run.JsonValues;

/**
 * Looks through uploads token by token, in memory that does not grow with them. What is no JSON document ends in 400, and
 * anything else that is wrong in one 422 with all of it: the first hundred findings and how many there are.
 */
@Singleton
class UploadReader {

    private static final int FINDINGS_TOLD = 100;
    // As deep as any JSON that is bound: an experiment's metadata is answered in its session.
    private static final int DEEPEST_NESTING = 200;

    private final JsonDocumentReader documents = new JsonDocumentReader(DEEPEST_NESTING, ExperimentFields.LARGEST_MEMBER);
    private final long maxRowSize;

    UploadReader(UploadConfig config) {
        this.maxRowSize = config.maxRowSize().asLongValue();
    }

    /** The upload, in order. */
    ParsedUpload read(SpooledBody body) {
        return new Look(body).upload();
    }

    /** One row of an upload that was looked through. */
    RowFields row(Bytes row) {
        RowFields[] read = new RowFields[1];
        documents.read(row, "", json -> read[0] = RowFields.read(json, JsonSource.of(row), Findings.none()));
        return read[0];
    }

    /** One look through a body. */
    private final class Look {

        private final SpooledBody body;
        private final Findings found = Findings.upTo(FINDINGS_TOLD);
        private final ExperimentFields experiment;
        private final RowIndex rows = new RowIndex();
        private boolean resultsGiven;
        private boolean resultsPutOff;

        Look(SpooledBody body) {
            this.body = body;
            this.experiment = new ExperimentFields(body::slice, found);
        }

        ParsedUpload upload() {
            documents.read(body, this::readExperiment);
            experiment.check();
            if (resultsPutOff) {
                documents.read(body, this::readResultsOnly);
            }
            if (!resultsGiven) {
                found.missing("results");
            }
            found.throwIfAny();
            return new ParsedUpload(require(experiment.name), experiment.description, require(experiment.startTime),
                    require(experiment.endTime), experiment.metadata, new DatasetReference(experiment.datasetId,
                            experiment.datasetName, experiment.datasetDescription),
                    experiment.scores, rows);
        }

        // Rows that come before the experiment's times are looked at when those are known.
        private void readExperiment(JsonParser json) throws IOException {
            if (json.currentToken() != JsonToken.START_OBJECT) {
                json.skipChildren();
                found.invalidHere("The body must be a JSON object", "type");
                found.throwIfAny();
            }
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String member = json.currentName();
                json.nextToken();
                if (!member.equals("results")) {
                    experiment.read(member, json);
                } else if (experiment.knowsTimes()) {
                    readResults(json);
                } else {
                    resultsPutOff = true;
                    json.skipChildren();
                }
            }
        }

        private void readResultsOnly(JsonParser json) throws IOException {
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String member = json.currentName();
                json.nextToken();
                if (member.equals("results")) {
                    readResults(json);
                } else {
                    json.skipChildren();
                }
            }
        }

        private void readResults(JsonParser json) throws IOException {
            if (json.currentToken() == JsonToken.VALUE_NULL) {
                return;
            }
            resultsGiven = true;
            if (json.currentToken() != JsonToken.START_ARRAY) {
                JsonValues.wrongType(json, "results", "must be an array of rows", found);
                return;
            }
            int count = 0;
            while (json.nextToken() != JsonToken.END_ARRAY) {
                readRow(json, count);
                count++;
            }
            if (count == 0) {
                found.invalid("results", "must have at least one row");
            }
        }

        private void readRow(JsonParser json, int position) throws IOException {
            Findings here = found.at("results", position);
            long from = json.currentTokenLocation().getByteOffset();
            if (json.currentToken() == JsonToken.START_OBJECT) {
                RowFields row = RowFields.read(json, JsonSource.NOTHING, here);
                row.checkTimes(experiment.startTime, experiment.endTime);
                checkNew(row.rowId, position, here);
            } else {
                json.skipChildren();
                here.invalidHere("must be an object", "type");
            }
            long to = json.currentLocation().getByteOffset();
            if (to - from > maxRowSize) {
                here.invalidHere("must have at most " + maxRowSize + " bytes", "too_large");
            }
            // Of an upload that is refused nothing need be found again, and its rows may be many and tiny.
            if (found.count() == 0) {
                rows.add(from, to);
            }
        }

        private void checkNew(@Nullable UUID rowId, int position, Findings here) {
            if (rowId == null || found.count() >= FINDINGS_TOLD) {
                return;
            }
            int first = rows.firstWith(rowId, position);
            if (first != position) {
                here.invalid("row_id", "must not be repeated: results[" + first + "] has the same");
            }
        }
    }

    static <T> T require(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("an upload was used before it was checked");
        }
        return value;
    }
}
