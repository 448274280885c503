package dev.waybill.local.tour;

import java.net.URI;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.RunsMultipart;
import dev.waybill.local.client.WaybillClient;

/** Sends runs to the intake in batches of the announced size. Idempotent. */
public final class TraceLoader {

    private static final int BATCH_RUNS = 100;
    private static final int BATCH_BYTES = 16 * 1024 * 1024;

    private final WaybillClient client;
    private final URI experimentService;

    public TraceLoader(WaybillClient client, URI experimentService) {
        this.client = client;
        this.experimentService = experimentService;
    }

    public void load(List<JsonNode> runs, Progress progress) {
        RunsMultipart batch = new RunsMultipart();
        int sent = 0;
        for (JsonNode run : runs) {
            batch.post(run);
            if (batch.runs() == BATCH_RUNS || batch.size() > BATCH_BYTES) {
                client.postRuns(experimentService, batch);
                sent += batch.runs();
                progress.at(sent, runs.size());
                batch = new RunsMultipart();
            }
        }
        if (batch.runs() > 0) {
            client.postRuns(experimentService, batch);
            progress.at(runs.size(), runs.size());
        }
    }
}
