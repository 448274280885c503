package dev.waybill.local.quickstart;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import com.fasterxml.jackson.databind.node.DoubleNode;

import dev.waybill.client.ExperimentClient;
import dev.waybill.common.api.experiment.CompareExperimentsRequest;
import dev.waybill.common.api.experiment.ComparedExperiment;
import dev.waybill.common.api.experiment.GateRequest;
import dev.waybill.common.api.experiment.KeyComparison;
import dev.waybill.common.api.experiment.UpdateDatasetRequest;
import dev.waybill.common.api.experiment.UploadExperimentResponse;
import dev.waybill.local.client.Json;
import dev.waybill.local.stack.StackException;
import dev.waybill.local.tour.SampleExperiments;

/** The part of the tour about experiments: uploads two external experiments and compares them. */
final class ExperimentTour {

    private final ExperimentClient client;
    private final Terminal terminal;

    ExperimentTour(ExperimentClient client, Terminal terminal) {
        this.client = client;
        this.terminal = terminal;
    }

    /** Runs the tour and returns the page of the comparison, relative to the pages of the workspace. */
    String run() {
        terminal.title(
                "4. Upload two experiments and compare them (POST /api/v1/datasets/upload-experiment, .../comparison, .../gate)");
        UploadExperimentResponse uploaded = upload(SampleExperiments.BASELINE);
        UUID dataset = uploaded.dataset().id();
        UUID baseline = uploaded.experiment().id();
        UUID candidate = upload(SampleExperiments.CANDIDATE).experiment().id();
        client.updateDataset(dataset, new UpdateDatasetRequest(null, null, null, Map.of("answer_length", false)));
        CompareExperimentsRequest comparison = new CompareExperimentsRequest(List.of(baseline, candidate), baseline, null,
                null, null, null, null, null, List.of("summary"), null, null, null, null, null);
        show(Objects.requireNonNull(client.compareExperiments(dataset, comparison).experiments()).get(1));
        boolean passed = client.gateExperiments(dataset, new GateRequest(candidate, null, baseline, null, null,
                Json.object().set("correct", DoubleNode.valueOf(0.02)), null, null)).passed();
        terminal.line("Gate (correct may drop by 0.02): %s", passed ? "passed" : "failed");
        return "/datasets/" + dataset + "/compare?base=" + baseline + "&with=" + candidate + "&key=correct";
    }

    private UploadExperimentResponse upload(String sample) {
        UploadExperimentResponse response = SampleExperiments.upload(client, sample);
        terminal.line("%-28s %3d rows", sample, SampleExperiments.read(sample).results().size());
        return response;
    }

    private void show(ComparedExperiment compared) {
        terminal.line("%-14s %8s %10s %18s %6s %5s %4s  %s", "key", "average", "difference", "95 % interval", "better", "worse",
                "same", "verdict");
        if (compared.feedback().isEmpty()) {
            throw new StackException("the comparison contains no feedback: " + compared);
        }
        compared.feedback().forEach((key, statistics) -> terminal.line("%-14s %8.2f %+10.2f %18s %6d %5d %4d  %s", key,
                statistics.avg(), statistics.delta(), interval(statistics), statistics.better(), statistics.worse(),
                statistics.same(), statistics.verdict()));
    }

    private static String interval(KeyComparison statistics) {
        List<Double> interval = Objects.requireNonNull(statistics.interval());
        return String.format("%+.2f to %+.2f", interval.getFirst(), interval.getLast());
    }
}
