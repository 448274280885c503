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

/** Assembles rows of a comparison from the results of three queries: examples, runs and scores. */
final class ComparisonRows {

    private final ComparisonScopeService.ComparisonScope scope;
    private final List<UUID> examples;
    private final Map<UUID, Row> exampleRows = new HashMap<>();
    private final Map<Cell, Row> runRows = new HashMap<>();
    private final Map<Cell, Map<String, Double>> scores = new HashMap<>();
    private final Map<Cell, Map<String, Double>> deviations = new HashMap<>();
    private final Map<Cell, List<ComparedExample.Comment>> comments = new HashMap<>();

    ComparisonRows(ComparisonScopeService.ComparisonScope scope, List<UUID> examples) {
        this.scope = scope;
        this.examples = examples;
    }

    List<UUID> examples() {
        return examples;
    }

    void addExample(Row row) {
        exampleRows.put(row.getUUID("example_id"), row);
    }

    void addRun(Row row) {
        runRows.put(Cell.of(row), row);
    }

    void addScore(Row row) {
        Cell cell = Cell.of(row);
        String key = row.getString("key");
        scores.computeIfAbsent(cell, absent -> new LinkedHashMap<>()).put(key, row.getDouble("score"));
        if (row.getLong("n") > 1) {
            deviations.computeIfAbsent(cell, absent -> new LinkedHashMap<>()).put(key, row.getDouble("stdev"));
        }
    }

    void addComment(Row row) {
        comments.computeIfAbsent(Cell.of(row), absent -> new ArrayList<>()).add(new ComparedExample.Comment(
                row.getString("key"), row.getDouble("score"), row.getString("comment"), row.getUUID("run_id")));
    }

    boolean hasRuns() {
        return !runRows.isEmpty();
    }

    /** Returns whether a text was omitted because of the size limit. */
    boolean hasOmittedTexts() {
        return exampleRows.values().stream()
                .anyMatch(row -> row.getBoolean("inputs_left_out") || row.getBoolean("outputs_left_out"))
                || runRows.values().stream()
                        .anyMatch(row -> row.getBoolean("outputs_left_out") || row.getBoolean("error_left_out"));
    }

    /** Returns the API representation of the rows. */
    List<ComparedExample> assemble(ObjectMapper json) {
        return examples.stream().map(id -> toExample(id, json)).toList();
    }

    private ComparedExample toExample(UUID id, ObjectMapper json) {
        Row example = exampleRows.get(id);
        List<Row> runs = scope.experiments().stream()
                .map(experiment -> runRows.get(new Cell(experiment.id(), id)))
                .filter(Objects::nonNull)
                .toList();
        List<ComparedExample.Run> apiRuns = runs.stream().map(this::toRun).toList();
        if (example == null) {
            return new ComparedExample(id, null, null, false, apiRuns, List.of());
        }
        String inputs = example.getString("inputs");
        List<String> omitted = new ArrayList<>();
        if (example.getBoolean("inputs_left_out")) {
            omitted.add("inputs");
        }
        if (example.getBoolean("outputs_left_out")) {
            omitted.add("expected_outputs");
        }
        boolean differ = runs.stream().anyMatch(run -> hasOtherInputs(run, inputs, json));
        return new ComparedExample(id, inputs, example.getString("outputs"), differ, apiRuns, omitted);
    }

    private ComparedExample.Run toRun(Row row) {
        Cell cell = Cell.of(row);
        List<String> omitted = new ArrayList<>();
        if (row.getBoolean("outputs_left_out")) {
            omitted.add("outputs");
        }
        if (row.getBoolean("error_left_out")) {
            omitted.add("error");
        }
        return new ComparedExample.Run(cell.experiment(), row.getUUID("id"), row.getString("outputs"), row.getString("error"),
                row.getDouble("latency"), scores.getOrDefault(cell, Map.of()), row.getLong("n"),
                deviations.getOrDefault(cell, Map.of()), omitted, comments.getOrDefault(cell, List.of()));
    }

    // Compares JSON values, not texts (docs/decisions/0022). Inputs that were omitted because of their size count as
    // different.
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

    /** Key of the runs of one experiment on one example. */
    private record Cell(UUID experiment, UUID example) {

        static Cell of(Row row) {
            return new Cell(row.getUUID("session_id"), row.getUUID("example_id"));
        }
    }
}
