package dev.waybill.experiment.comparison;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.CompareExperimentsRequest;
import dev.waybill.common.api.experiment.ComparedExample;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;

/**
 * Formats a comparison as CSV (RFC 4180): one line per example and experiment, with two columns per feedback key, the
 * score and its difference to the baseline. Texts that a spreadsheet would evaluate as a formula are prefixed with an
 * apostrophe.
 */
final class ComparisonCsv {

    private static final List<String> COLUMNS = List.of("example_id", "experiment_id", "experiment", "run_id", "n", "latency",
            "error", "inputs_differ", "inputs", "expected_outputs", "outputs");
    private static final String FORMULA_PREFIXES = "=+-@\t\r\n";
    private static final String OMITTED = "(left out: too large)";

    private final ComparisonScopeService.ComparisonScope scope;
    private final Map<UUID, String> names;
    private final List<String> keys;

    ComparisonCsv(ComparisonScopeService.ComparisonScope scope, List<ExperimentScores> scores) {
        this.scope = scope;
        this.names = scope.experiments().stream()
                .collect(Collectors.toMap(ComparisonScopeService.ComparisonScope.Experiment::id,
                        ComparisonScopeService.ComparisonScope.Experiment::name));
        this.keys = List.copyOf(scores.stream()
                .flatMap(one -> one.keys().keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new)));
    }

    /** Responds with 422 if the request selects parts or rows, sorts or pages: CSV always has all rows. */
    static void rejectSelection(CompareExperimentsRequest request) {
        List<Violation> violations = new ArrayList<>();
        rejectIfPresent(request.sort(), "sort", violations);
        rejectIfPresent(request.filter(), "filter", violations);
        rejectIfPresent(request.limit(), "limit", violations);
        rejectIfPresent(request.offset(), "offset", violations);
        rejectIfPresent(request.parts(), "parts", violations);
        rejectIfPresent(request.experimentId(), "experiment_id", violations);
        rejectIfPresent(request.scoreRanges(), "score_ranges", violations);
        rejectIfPresent(request.differenceRanges(), "difference_ranges", violations);
        rejectIfPresent(request.bins(), "bins", violations);
        rejectIfPresent(request.exampleId(), "example_id", violations);
        ProblemException.throwIfAny(violations);
    }

    private static void rejectIfPresent(@Nullable Object value, String name, List<Violation> violations) {
        if (value != null) {
            violations.add(Violation.of(name, "must be absent: CSV has all rows, ordered by example_id", "invalid"));
        }
    }

    ComparisonScopeService.ComparisonScope scope() {
        return scope;
    }

    byte[] header() {
        List<String> cells = new ArrayList<>(COLUMNS);
        keys.forEach(key -> {
            cells.add(text(key));
            cells.add(text(key + " difference"));
        });
        return bytes(line(cells));
    }

    byte[] lines(List<ComparedExample> rows) {
        StringBuilder lines = new StringBuilder();
        for (ComparedExample row : rows) {
            Map<String, Double> baseline = row.runs().stream()
                    .filter(run -> run.experimentId().equals(scope.baseline()))
                    .findFirst()
                    .map(ComparedExample.Run::feedback)
                    .orElse(Map.of());
            row.runs().forEach(run -> lines.append(line(cells(row, run, baseline))));
        }
        return bytes(lines.toString());
    }

    private List<String> cells(ComparedExample row, ComparedExample.Run run, Map<String, Double> baseline) {
        List<String> cells = new ArrayList<>();
        cells.add(row.exampleId().toString());
        cells.add(run.experimentId().toString());
        cells.add(text(names.get(run.experimentId())));
        cells.add(run.runId().toString());
        cells.add(Long.toString(run.n()));
        cells.add(number(run.latency()));
        cells.add(run.leftOut().contains("error") ? OMITTED : text(run.error()));
        cells.add(Boolean.toString(row.inputsDiffer()));
        cells.add(row.leftOut().contains("inputs") ? OMITTED : text(row.inputs()));
        cells.add(row.leftOut().contains("expected_outputs") ? OMITTED : text(row.expectedOutputs()));
        cells.add(run.leftOut().contains("outputs") ? OMITTED : text(run.outputs()));
        for (String key : keys) {
            Double score = run.feedback().get(key);
            Double other = run.experimentId().equals(scope.baseline()) ? null : baseline.get(key);
            cells.add(number(score));
            cells.add(score == null || other == null ? "" : number(score - other));
        }
        return cells;
    }

    private static String number(@Nullable Double value) {
        return value == null ? "" : value.toString();
    }

    private static String text(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return "";
        }
        String safe = FORMULA_PREFIXES.indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
        return "\"" + safe.replace("\"", "\"\"") + "\"";
    }

    private static String line(List<String> cells) {
        return String.join(",", cells) + "\r\n";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
