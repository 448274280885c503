package dev.waybill.local.tour;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.client.WaybillClients;
import dev.waybill.common.api.experiment.UploadExperimentRequest;
import dev.waybill.local.client.Json;

/** External experiments over one dataset. The candidate has better and worse answers than the baseline. */
public final class SampleExperiments {

    /** The sample to compare with. */
    public static final String BASELINE = "support-answers-baseline";
    public static final String CANDIDATE = "support-answers-candidate";

    private SampleExperiments() {
    }

    /** Reads a sample and gives the experiment a new name: names are unique in a dataset. */
    public static UploadExperimentRequest read(String sample) {
        String resource = "/samples/experiments/" + sample + ".json";
        try (InputStream in = SampleExperiments.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is missing");
            }
            ObjectNode body = (ObjectNode) Json.parse(in.readAllBytes());
            String name = body.required("experiment_name").textValue();
            body.put("experiment_name", name + ", " + Instant.now().truncatedTo(ChronoUnit.MILLIS));
            return WaybillClients.mapper().convertValue(body, UploadExperimentRequest.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
