package dev.waybill.experiment.gate;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.GateResponse;
import dev.waybill.common.api.experiment.KeyComparison;

/** A gate's answer in Markdown, for the page that a pipeline shows. Its first line says how it went. */
record GateReport(List<GateResponse.Experiment> experiments, @Nullable String baseline, List<String> reasons) {

    private static final String COLUMNS = """
            | key | average | baseline | difference | 95 % interval | better | worse | same | verdict | gate |
            |---|---:|---:|---:|---:|---:|---:|---:|---|---|
            """;

    String markdown() {
        StringBuilder text = new StringBuilder(reasons.isEmpty() ? "## Passed\n" : "## Failed\n");
        if (!reasons.isEmpty()) {
            text.append('\n');
            reasons.forEach(reason -> text.append("- ").append(escaped(reason)).append('\n'));
        }
        for (GateResponse.Experiment experiment : experiments) {
            text.append("\n### ").append(escaped(experiment.name()));
            if (baseline != null) {
                text.append(" against ").append(escaped(baseline));
            }
            text.append("\n\n").append(COLUMNS);
            experiment.feedback().entrySet().forEach(key -> text.append(line(key)));
        }
        return text.toString();
    }

    private static String line(Map.Entry<String, GateResponse.Key> entry) {
        GateResponse.Key key = entry.getValue();
        KeyComparison figures = key.figures();
        List<Double> interval = figures.interval();
        List<String> cells = List.of(escaped(entry.getKey()), shown(figures.avg()), shown(key.baselineAvg()),
                shown(figures.delta()),
                interval == null ? "" : shown(interval.getFirst()) + " to " + shown(interval.getLast()),
                Long.toString(figures.better()), Long.toString(figures.worse()), Long.toString(figures.same()),
                figures.verdict() == null ? "" : figures.verdict(), key.passed() ? "passed" : "**failed**");
        return "| " + String.join(" | ", cells) + " |\n";
    }

    private static String shown(@Nullable Double value) {
        return value == null ? "" : FeedbackKeyEvaluator.shown(value);
    }

    // Names come from whoever uploaded: they are text here, neither markup nor new lines.
    private static String escaped(String text) {
        return text.replaceAll("\\s+", " ").replaceAll("([\\\\`*_\\[\\]<>|#~&])", "\\\\$1");
    }
}
