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
import dev.waybill.experiment.run.JsonValues;
import dev.waybill.experiment.run.Violations;

/**
 * Validates uploads token by token, with memory use that does not depend on their size. Malformed JSON is a 400; all other
 * violations are one 422 with the first hundred of them and their total number.
 */
@Singleton
class UploadReader {

    private static final int MAX_VIOLATIONS = 100;
    // A row is in memory while it is written.
    private static final long MAX_ROW_BYTES = 16 << 20;
    // The limit for JSON that is bound to trees, as an experiment's metadata is in session responses.
    private static final int MAX_NESTING = 200;

    private final JsonDocumentReader documents = new JsonDocumentReader(MAX_NESTING, ExperimentFields.MAX_MEMBER_BYTES);

    /** Returns the validated upload. */
    ParsedUpload read(SpooledBody body) {
        return new Validation(body).upload();
    }

    /** Reads one row of a validated upload. */
    RowFields row(Bytes row) {
        RowFields[] result = new RowFields[1];
        documents.read(row, "", json -> result[0] = RowFields.read(json, JsonSource.of(row), Violations.none()));
        return result[0];
    }

    /** One pass over a body. */
    private final class Validation {

        private final SpooledBody body;
        private final Violations violations = Violations.upTo(MAX_VIOLATIONS);
        private final ExperimentFields experiment;
        private final RowIndex rows = new RowIndex();
        private boolean resultsGiven;
        private boolean resultsDeferred;

        Validation(SpooledBody body) {
            this.body = body;
            this.experiment = new ExperimentFields(body::slice, violations);
        }

        ParsedUpload upload() {
            documents.read(body, this::readExperiment);
            experiment.check();
            if (resultsDeferred) {
                documents.read(body, this::readResultsOnly);
            }
            if (!resultsGiven) {
                violations.missing("results");
            }
            violations.throwIfAny();
            return new ParsedUpload(require(experiment.name), experiment.description, require(experiment.startTime),
                    require(experiment.endTime), experiment.metadata, new DatasetReference(experiment.datasetId,
                            experiment.datasetName, experiment.datasetDescription),
                    experiment.scores, rows);
        }

        // Rows before the experiment's times are validated in a second pass.
        private void readExperiment(JsonParser json) throws IOException {
            if (json.currentToken() != JsonToken.START_OBJECT) {
                json.skipChildren();
                violations.invalidHere("The body must be a JSON object", "type");
                violations.throwIfAny();
            }
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String member = json.currentName();
                json.nextToken();
                if (!member.equals("results")) {
                    experiment.read(member, json);
                } else if (experiment.hasReadTimes()) {
                    readResults(json);
                } else {
                    resultsDeferred = true;
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
                JsonValues.wrongType(json, "results", "must be an array of rows", violations);
                return;
            }
            int count = 0;
            while (json.nextToken() != JsonToken.END_ARRAY) {
                readRow(json, count);
                count++;
            }
            if (count == 0) {
                violations.invalid("results", "must have at least one row");
            }
        }

        private void readRow(JsonParser json, int position) throws IOException {
            Violations nested = violations.at("results", position);
            long from = json.currentTokenLocation().getByteOffset();
            if (json.currentToken() == JsonToken.START_OBJECT) {
                RowFields row = RowFields.read(json, JsonSource.NOTHING, nested);
                row.checkTimes(experiment.startTime, experiment.endTime);
                checkNew(row.rowId, position, nested);
            } else {
                json.skipChildren();
                nested.invalidHere("must be an object", "type");
            }
            long to = json.currentLocation().getByteOffset();
            if (to - from > MAX_ROW_BYTES) {
                nested.invalidHere("must have at most " + MAX_ROW_BYTES + " bytes", "too_large");
            }
            // A rejected upload needs no index, which could be large for many tiny rows.
            if (violations.count() == 0) {
                rows.add(from, to);
            }
        }

        private void checkNew(@Nullable UUID rowId, int position, Violations nested) {
            if (rowId == null || violations.count() >= MAX_VIOLATIONS) {
                return;
            }
            int first = rows.firstRowWithId(rowId, position);
            if (first != position) {
                nested.invalid("row_id", "must not be repeated: results[" + first + "] has the same id");
            }
        }
    }

    static <T> T require(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("an unvalidated upload was used");
        }
        return value;
    }
}
