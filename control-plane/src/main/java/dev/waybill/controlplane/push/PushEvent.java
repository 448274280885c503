package dev.waybill.controlplane.push;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;

/**
 * What matters of a push.
 *
 * @param addresses of the repository, in every spelling that its host gives
 * @param installationId the provider's number of the installation, -1 when it tells none
 * @param ref in full; empty when it tells none
 * @param deleted whether the branch is gone
 */
record PushEvent(List<String> addresses, long installationId, String ref, boolean deleted) {

    private static final int LONGEST = 2_000;

    /** 400 when the body is no JSON object. */
    static PushEvent parse(byte[] body, ObjectMapper json) {
        JsonNode event = read(body, json);
        if (!event.isObject()) {
            throw new ProblemException(CommonProblem.MALFORMED_REQUEST, "The body is not one well-formed JSON object.");
        }
        JsonNode repository = event.path("repository");
        List<String> addresses = Stream.of("clone_url", "html_url", "ssh_url", "git_url", "git_http_url", "git_ssh_url", "url")
                .map(name -> repository.path(name).asText(""))
                .filter(address -> !address.isEmpty() && address.length() <= LONGEST)
                .distinct()
                .toList();
        return new PushEvent(addresses, event.path("installation").path("id").asLong(-1), event.path("ref").asText(""),
                event.path("deleted").asBoolean(false));
    }

    private static JsonNode read(byte[] body, ObjectMapper json) {
        try {
            return json.readTree(body);
        } catch (IOException e) {
            throw new ProblemException(CommonProblem.MALFORMED_REQUEST, "The body is not one well-formed JSON object.", e);
        }
    }
}
