package dev.waybill.experiment.comparison;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.api.experiment.ComparedExample;
import io.vertx.mutiny.sqlclient.Row;

/** What the database told of some rows of a comparison, to be put together. */
final class ComparisonRows {

    private final ComparisonScope scope;
    private final List<UUID> examples;
    private final Map<UUID, Row> ofExamples = new HashMap<>();
    private final Map<Cell, Row> ofRuns = new HashMap<>();
    private final Map<Cell, Map<String, Double>> scores = new HashMap<>();
    private final Map<Cell, Map<String, Double>> deviations = new HashMap<>();

    ComparisonRows(ComparisonScope scope, List<UUID> examples) {
        this.scope = scope;
        this.examples = examples;
    }

    List<UUID> examples() {
        return examples;
    }

    void example(Row row) {
        ofExamples.put(row.getUUID("example_id"), row);
    }

    void run(Row row) {
        ofRuns.put(Cell.of(row), row);
    }

    void score(Row row) {
        Cell cell = Cell.of(row);
        String key = row.getString("key");
        scores.computeIfAbsent(cell, any -> new LinkedHashMap<>()).put(key, row.getDouble("score"));
        if (row.getLong("n") > 1) {
            deviations.computeIfAbsent(cell, any -> new LinkedHashMap<>()).put(key, row.getDouble("stdev"));
        }
    }

    /** Whether a text did not fit in. */
    boolean isSomethingLeftOut() {
        return ofExamples.values().stream()
                .anyMatch(row -> row.getBoolean("inputs_left_out") || row.getBoolean("outputs_left_out"))
                || ofRuns.values().stream()
                        .anyMatch(row -> row.getBoolean("outputs_left_out") || row.getBoolean("error_left_out"));
    }

    /** As the wire tells them. */
    List<ComparedExample> assemble(ObjectMapper json) {
        return examples.stream().map(id -> row(id, json)).toList();
    }

    private ComparedExample row(UUID id, ObjectMapper json) {
        Row example = ofExamples.get(id);
        List<Row> runs = scope.experiments().stream()
                .map(experiment -> ofRuns.get(new Cell(experiment.id(), id)))
                .filter(Objects::nonNull)
                .toList();
        List<ComparedExample.Run> shown = runs.stream().map(this::shown).toList();
        if (example == null) {
            return new ComparedExample(id, null, null, false, shown, List.of());
        }
        String inputs = example.getString("inputs");
        List<String> leftOut = new ArrayList<>();
        if (example.getBoolean("inputs_left_out")) {
            leftOut.add("inputs");
        }
        if (example.getBoolean("outputs_left_out")) {
            leftOut.add("expected_outputs");
        }
        boolean differ = runs.stream().anyMatch(run -> hasOtherInputs(run, inputs, json));
        return new ComparedExample(id, inputs, example.getString("outputs"), differ, shown, leftOut);
    }

    private ComparedExample.Run shown(Row row) {
        Cell cell = Cell.of(row);
        List<String> leftOut = new ArrayList<>();
        if (row.getBoolean("outputs_left_out")) {
            leftOut.add("outputs");
        }
        if (row.getBoolean("error_left_out")) {
            leftOut.add("error");
        }
        return new ComparedExample.Run(cell.experiment(), row.getUUID("id"), row.getString("outputs"), row.getString("error"),
                row.getDouble("latency"), scores.getOrDefault(cell, Map.of()), row.getLong("n"),
                deviations.getOrDefault(cell, Map.of()), leftOut);
    }

    // The same JSON written otherwise is not other inputs (decision 22); what is too long for looking closer is.
    private static boolean hasOtherInputs(Row run, @Nullable String inputs, ObjectMapper json) {
        if (!run.getBoolean("other_text")) {
            return false;
        }
        String own = run.getString("inputs");
        if (own == null || inputs == null) {
            return true;
        }
        try {
            return !json.readTree(own).equals(json.readTree(inputs));
        } catch (JsonProcessingException e) {
            return true;
        }
    }

    /** What one experiment made of one example. */
    private record Cell(UUID experiment, UUID example) {

        static Cell of(Row row) {
            return new Cell(row.getUUID("session_id"), row.getUUID("example_id"));
        }
    }
}
