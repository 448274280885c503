package dev.waybill.local.tour;

import java.net.URI;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.client.RunsMultipart;
import dev.waybill.client.TraceClient;
import dev.waybill.client.WaybillClients;

/** Sends runs to the intake in batches of the announced size. Idempotent. */
public final class TraceLoader {

    private static final int BATCH_RUNS = 100;
    private static final int BATCH_BYTES = 16 * 1024 * 1024;

    private final TraceClient client;

    public TraceLoader(WaybillClients clients, URI experimentService) {
        this.client = clients.traces(experimentService);
    }

    public void load(List<JsonNode> runs, Progress progress) {
        RunsMultipart batch = new RunsMultipart();
        int sent = 0;
        for (JsonNode run : runs) {
            batch.post(run);
            if (batch.runs() == BATCH_RUNS || batch.size() > BATCH_BYTES) {
                client.postRunsMultipart(batch);
                sent += batch.runs();
                progress.at(sent, runs.size());
                batch = new RunsMultipart();
            }
        }
        if (batch.runs() > 0) {
            client.postRunsMultipart(batch);
            progress.at(runs.size(), runs.size());
        }
    }
}
