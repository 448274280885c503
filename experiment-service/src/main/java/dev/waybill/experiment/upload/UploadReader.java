package dev.waybill.experiment.upload;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.waybill.experiment.body.BodySpooler;
import dev.waybill.experiment.dataset.DatasetService;
import dev.waybill.experiment.feedback.FeedbackWriter;
import dev.waybill.experiment.json.Bytes;
import dev.waybill.experiment.json.JsonDocumentReader;
import dev.waybill.experiment.json.JsonInput;
import dev.waybill.experiment.json.JsonMembers;
import dev.waybill.experiment.json.ViolationCollector;

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

    private final JsonDocumentReader documents = new JsonDocumentReader(MAX_NESTING, UploadedExperiment.MAX_MEMBER_BYTES);

    /** Returns the validated upload. */
    ParsedUpload read(BodySpooler.SpooledBody body) {
        return new Validation(body).upload();
    }

    /** Reads one row of a validated upload. */
    UploadedRow row(Bytes row) {
        UploadedRow[] result = new UploadedRow[1];
        documents.read(row, "", json -> result[0] = UploadedRow
                .read(new JsonInput(json, JsonInput.Source.of(row), ViolationCollector.none())));
        return result[0];
    }

    /** One pass over a body. */
    private final class Validation {

        private final BodySpooler.SpooledBody body;
        private final ViolationCollector violations = ViolationCollector.upTo(MAX_VIOLATIONS);
        private final UploadedExperiment experiment = new UploadedExperiment(this::readResultsIfTimed);
        private final RowIndex rows = new RowIndex();
        private boolean resultsGiven;
        private boolean resultsDeferred;

        Validation(BodySpooler.SpooledBody body) {
            this.body = body;
        }

        ParsedUpload upload() {
            documents.read(body::open, this::readExperiment);
            experiment.check(violations);
            if (resultsDeferred) {
                documents.read(body::open, this::readResultsOnly);
            }
            if (!resultsGiven) {
                violations.missing("results");
            }
            violations.throwIfAny();
            return new ParsedUpload(require(experiment.name), experiment.description, require(experiment.startTime),
                    require(experiment.endTime), experiment.metadata, new DatasetService.DatasetReference(experiment.datasetId,
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
            experiment.read(new JsonInput(json, body::slice, violations));
        }

        private void readResultsIfTimed(UploadedExperiment fields, JsonInput in) throws IOException {
            if (fields.hasReadTimes()) {
                readResults(in);
            } else {
                resultsDeferred = true;
            }
        }

        private void readResultsOnly(JsonParser json) throws IOException {
            JsonMembers.<Validation> table()
                    .member("results", Validation::readResults)
                    .build()
                    .read(this, new JsonInput(json, JsonInput.Source.NOTHING, violations));
        }

        private void readResults(JsonInput in) throws IOException {
            resultsGiven = true;
            if (!in.is(JsonToken.START_ARRAY)) {
                in.wrongType("must be an array of rows");
                return;
            }
            JsonInput rowsOnly = in.from(JsonInput.Source.NOTHING);
            int count = 0;
            while (in.parser().nextToken() != JsonToken.END_ARRAY) {
                readRow(rowsOnly.at("results", count), count);
                count++;
            }
            if (count == 0) {
                violations.invalid("results", "must have at least one row");
            }
        }

        private void readRow(JsonInput in, int position) throws IOException {
            long from = in.offset();
            if (in.is(JsonToken.START_OBJECT)) {
                UploadedRow row = UploadedRow.read(in);
                row.checkTimes(experiment.startTime, experiment.endTime, in.violations());
                checkNew(row.rowId, position, in.violations());
            } else {
                in.wrongTypeHere("must be an object");
            }
            long length = in.lengthFrom(from);
            if (length > MAX_ROW_BYTES) {
                in.violations().invalidHere("must have at most " + MAX_ROW_BYTES + " bytes", "too_large");
            }
            // A rejected upload needs no index, which could be large for many tiny rows.
            if (violations.count() == 0) {
                rows.add(from, from + length);
            }
        }

        private void checkNew(@Nullable UUID rowId, int position, ViolationCollector nested) {
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

    /**
     * A validated upload.
     *
     * @param rows the positions of its rows in the body
     * @param scores feedback on the experiment as a whole
     */
    record ParsedUpload(String name, @Nullable String description, Instant startTime, Instant endTime, @Nullable Bytes metadata,
            DatasetService.DatasetReference dataset, List<FeedbackWriter.Score> scores, RowIndex rows) {
    }

    /**
     * Reads the rows of an upload in batches of limited size, so memory use does not depend on the size of the upload. Reading
     * blocks.
     */
    static final class RowBatches {

        // Statement parameters copy the batch, and the driver copies it a second time while sending.
        private static final long MAX_BATCH_BYTES = 4 << 20;
        private static final int MAX_BATCH_ROWS = 500;
        private static final int MAX_BATCH_SCORES = 10_000;

        private final BodySpooler.SpooledBody body;
        private final RowIndex rows;
        private final UploadReader reader;
        private int next;

        RowBatches(BodySpooler.SpooledBody body, RowIndex rows, UploadReader reader) {
            this.body = body;
            this.rows = rows;
            this.reader = reader;
        }

        /** Returns the next rows; empty after the last. */
        List<UploadedRow> next() {
            if (next == rows.rows()) {
                return List.of();
            }
            int end = next + 1;
            long from = rows.start(next);
            while (end < rows.rows() && end - next < MAX_BATCH_ROWS && rows.end(end) - from <= MAX_BATCH_BYTES) {
                end++;
            }
            Bytes bytes = body.slice(from, rows.end(end - 1));
            List<UploadedRow> batch = new ArrayList<>(end - next);
            for (int scores = 0; next < end && scores < MAX_BATCH_SCORES; next++) {
                UploadedRow row = reader.row(bytes.slice((int) (rows.start(next) - from), (int) (rows.end(next) - from)));
                batch.add(row);
                scores += row.scores.size();
            }
            return batch;
        }
    }

    /**
     * The positions and ids of the rows in a body. It uses a few dozen bytes per row, because a body may have very many small
     * rows.
     */
    static final class RowIndex {

        private static final int INITIAL_CAPACITY = 256;
        private static final int EMPTY = 0;

        private long[] starts = new long[INITIAL_CAPACITY];
        private int[] lengths = new int[INITIAL_CAPACITY];
        private int rows;
        // Hash table with open addressing: row positions, counted from 1, by id.
        private int[] byId = new int[2 * INITIAL_CAPACITY];
        private long[] high = new long[INITIAL_CAPACITY];
        private long[] low = new long[INITIAL_CAPACITY];
        private int[] rowOfId = new int[INITIAL_CAPACITY];
        private int ids;

        /** Adds the next row. */
        void add(long from, long to) {
            if (rows == starts.length) {
                starts = Arrays.copyOf(starts, 2 * rows);
                lengths = Arrays.copyOf(lengths, 2 * rows);
            }
            starts[rows] = from;
            lengths[rows] = (int) Math.min(Integer.MAX_VALUE, to - from);
            rows++;
        }

        /**
         * Registers the id of row {@code row}; returns the first row with this id, which is {@code row} itself if the id is
         * new.
         */
        int firstRowWithId(UUID id, int row) {
            if (2 * (ids + 1) > byId.length) {
                grow();
            }
            int slot = slotOf(id.getMostSignificantBits(), id.getLeastSignificantBits());
            if (byId[slot] != EMPTY) {
                return rowOfId[byId[slot] - 1];
            }
            high[ids] = id.getMostSignificantBits();
            low[ids] = id.getLeastSignificantBits();
            rowOfId[ids] = row;
            ids++;
            byId[slot] = ids;
            return row;
        }

        /** Returns the number of rows. */
        int rows() {
            return rows;
        }

        long start(int row) {
            return starts[row];
        }

        long end(int row) {
            return starts[row] + lengths[row];
        }

        private int slotOf(long idHigh, long idLow) {
            int mask = byId.length - 1;
            // Clients choose the ids, so their bits are mixed.
            long mixed = (idHigh * 0x9e3779b97f4a7c15L ^ idLow) * 0xbf58476d1ce4e5b9L;
            int slot = (int) (mixed >>> 32) & mask;
            while (byId[slot] != EMPTY && (high[byId[slot] - 1] != idHigh || low[byId[slot] - 1] != idLow)) {
                slot = slot + 1 & mask;
            }
            return slot;
        }

        private void grow() {
            int capacity = 2 * high.length;
            high = Arrays.copyOf(high, capacity);
            low = Arrays.copyOf(low, capacity);
            rowOfId = Arrays.copyOf(rowOfId, capacity);
            byId = new int[2 * capacity];
            for (int i = 0; i < ids; i++) {
                byId[slotOf(high[i], low[i])] = i + 1;
            }
        }
    }
}
