package dev.waybill.experiment.gate;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.GateResponse;
import dev.waybill.common.api.experiment.KeyComparison;

/** Formats the result of a gate as Markdown for a pipeline's summary page. The first line states the result. */
record GateReport(List<GateResponse.Experiment> experiments, @Nullable String baseline, List<String> reasons) {

    private static final String COLUMNS = """
            | key | average | baseline | difference | 95 % interval | p | p (Holm) | better | worse | same | verdict | gate |
            |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|---|
            """;

    String markdown() {
        StringBuilder text = new StringBuilder(reasons.isEmpty() ? "## Passed\n" : "## Failed\n");
        if (!reasons.isEmpty()) {
            text.append('\n');
            reasons.forEach(reason -> text.append("- ").append(escape(reason)).append('\n'));
        }
        for (GateResponse.Experiment experiment : experiments) {
            text.append("\n### ").append(escape(experiment.name()));
            if (baseline != null) {
                text.append(" against ").append(escape(baseline));
            }
            text.append("\n\n").append(COLUMNS);
            experiment.feedback().entrySet().forEach(key -> text.append(toRow(key)));
            long compared = experiment.feedback().values().stream().filter(key -> key.figures().pValue() != null).count();
            if (compared > 1) {
                text.append("\np (Holm) is corrected for the comparison of ").append(compared)
                        .append(" keys; verdict and gate use p.\n");
            }
        }
        return text.toString();
    }

    private static String toRow(Map.Entry<String, GateResponse.Key> entry) {
        GateResponse.Key key = entry.getValue();
        KeyComparison comparison = key.figures();
        List<Double> interval = comparison.interval();
        List<String> cells = List.of(escape(entry.getKey()), format(comparison.avg()), format(key.baselineAvg()),
                format(comparison.delta()),
                interval == null ? "" : format(interval.getFirst()) + " to " + format(interval.getLast()),
                format(comparison.pValue()), format(comparison.pAdjusted()),
                Long.toString(comparison.better()), Long.toString(comparison.worse()), Long.toString(comparison.same()),
                comparison.verdict() == null ? "" : comparison.verdict(), key.passed() ? "passed" : "**failed**");
        return "| " + String.join(" | ", cells) + " |\n";
    }

    private static String format(@Nullable Double value) {
        return value == null ? "" : FeedbackKeyEvaluator.format(value);
    }

    // Names are user input: escapes Markdown and HTML and replaces line breaks.
    private static String escape(String text) {
        return text.replaceAll("\\s+", " ").replaceAll("([\\\\`*_\\[\\]<>|#~&])", "\\\\$1");
    }
}
