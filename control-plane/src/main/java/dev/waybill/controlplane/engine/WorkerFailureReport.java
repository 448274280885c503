package dev.waybill.controlplane.engine;

import java.util.Optional;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** Parses the last line of deployment-runtime's failure file: the reason why a worker cannot start. */
public final class WorkerFailureReport {

    private static final int MAX_SENTENCE = 600;

    private WorkerFailureReport() {
    }

    /** Returns cause and advice; empty if the line is no complete report. */
    public static Optional<String> reason(String lastLine) {
        try {
            JsonNode reason = JsonMapper.builder().build().readTree(lastLine);
            String cause = reason.path("cause").asText();
            return cause.isBlank() ? Optional.empty()
                    : Optional.of((shortened(cause) + " " + shortened(reason.path("advice").asText())).strip());
        } catch (JacksonException _) {
            return Optional.empty();
        }
    }

    private static String shortened(String sentence) {
        return sentence.length() <= MAX_SENTENCE ? sentence : sentence.substring(0, MAX_SENTENCE) + " ...";
    }
}
