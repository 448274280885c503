package dev.waybill.bench;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;
import dev.waybill.local.traces.GeneratedRun;
import dev.waybill.local.traces.RunGenerator;
import dev.waybill.local.traces.TraceDay;

/** Generates upload bodies of experiments: rows of 2 KB with words of recorded runs and two scores each. */
final class ExperimentGenerator {

    private static final int INPUTS = 750;
    private static final int EXPECTED = 300;
    private static final int ACTUAL = 500;

    private final RunGenerator generator;

    ExperimentGenerator(RunGenerator generator) {
        this.generator = generator;
    }

    /** Generates an experiment with {@code rows} rows in its own dataset. */
    byte[] body(String name, int rows) {
        ObjectNode body = Json.object()
                .put("experiment_name", name)
                .put("dataset_name", name)
                .put("experiment_start_time", TraceDay.start().toString())
                .put("experiment_end_time", TraceDay.end().toString());
        ArrayNode results = body.putArray("results");
        StringBuilder words = new StringBuilder();
        // Generates more runs than needed; the last ones are not used.
        generator.generate(rows, run -> {
            words.append(words(run.inputs())).append(words(run.outputs()));
            while (words.length() >= INPUTS + EXPECTED + ACTUAL && results.size() < rows) {
                results.add(row(words, run));
            }
        });
        if (results.size() < rows) {
            throw new IllegalStateException("the runs have words for only " + results.size() + " rows");
        }
        return Json.bytes(body);
    }

    private static ObjectNode row(StringBuilder words, GeneratedRun run) {
        ObjectNode row = Json.object()
                .put("row_id", UUID.randomUUID().toString())
                .put("start_time", run.startTime())
                .put("end_time", run.endTime());
        row.putObject("inputs").put("question", cut(words, INPUTS));
        row.putObject("expected_outputs").put("answer", cut(words, EXPECTED));
        row.putObject("actual_outputs").put("answer", cut(words, ACTUAL));
        ArrayNode scores = row.putArray("evaluation_scores");
        scores.addObject().put("key", "correctness").put("score", words.length() % 100 / 100.0);
        scores.addObject().put("key", "conciseness").put("score", words.length() % 7 / 7.0).put("comment",
                "as the judge sees it");
        return row;
    }

    private static String cut(StringBuilder words, int length) {
        String text = words.substring(0, length);
        words.delete(0, length);
        return text;
    }

    // ASCII, so that text can be cut at any position.
    private static String words(byte[] json) {
        return new String(json, StandardCharsets.US_ASCII).replace('\ufffd', '?');
    }
}
