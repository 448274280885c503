package dev.waybill.local.tour;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.client.ExperimentClient;
import dev.waybill.client.WaybillClients;
import dev.waybill.client.WaybillException;
import dev.waybill.common.api.experiment.UploadExperimentRequest;
import dev.waybill.common.api.experiment.UploadExperimentResponse;
import dev.waybill.local.client.Json;

/** External experiments over one dataset. The candidate has better and worse answers than the baseline. */
public final class SampleExperiments {

    /** The sample to compare with. */
    public static final String BASELINE = "support-answers-baseline";
    public static final String CANDIDATE = "support-answers-candidate";

    private static final int CONFLICT = 409;
    private static final int MAX_NUMBER = 1000;

    private SampleExperiments() {
    }

    /** Reads a sample. */
    public static UploadExperimentRequest read(String sample) {
        return read(sample, 1);
    }

    /** Uploads a sample. Names are unique in a dataset, so a repeated upload appends a number to the name. */
    public static UploadExperimentResponse upload(ExperimentClient client, String sample) {
        for (int number = 1;; number++) {
            try {
                return client.uploadExperiment(read(sample, number));
            } catch (WaybillException e) {
                if (e.status() != CONFLICT || number == MAX_NUMBER) {
                    throw e;
                }
            }
        }
    }

    private static UploadExperimentRequest read(String sample, int number) {
        String resource = "/samples/experiments/" + sample + ".json";
        try (InputStream in = SampleExperiments.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is missing");
            }
            ObjectNode body = (ObjectNode) Json.parse(in.readAllBytes());
            if (number > 1) {
                body.put("experiment_name", body.required("experiment_name").textValue() + " (" + number + ")");
            }
            return WaybillClients.mapper().convertValue(body, UploadExperimentRequest.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
