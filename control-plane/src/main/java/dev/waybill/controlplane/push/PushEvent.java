package dev.waybill.controlplane.push;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;

/**
 * What matters of a push.
 *
 * @param addresses of the repository, in every spelling that its host gives; of what is about none, of the account
 * @param installationId the provider's number of the installation, -1 when it tells none
 * @param ref in full; empty when it tells none
 * @param deleted whether the branch is gone
 */
record PushEvent(List<String> addresses, long installationId, String ref, boolean deleted) {

    private static final int LONGEST = 2_000;
    /** How an account is named where its page's address is not: github.com's, and that of a host of one's own. */
    private static final Pattern ACCOUNT = Pattern.compile("(https?://)(?:api\\.(github\\.com)|([^/]+)/api/v3)/orgs/([^/]+)");

    /** 400 when the body is no JSON object. */
    static PushEvent parse(byte[] body, ObjectMapper json) {
        JsonNode event = read(body, json);
        if (!event.isObject()) {
            throw new ProblemException(CommonProblem.MALFORMED_REQUEST, "The body is not one well-formed JSON object.");
        }
        JsonNode repository = event.path("repository");
        List<String> addresses = repository.isMissingNode() ? account(event)
                : Stream.of("clone_url", "html_url", "ssh_url", "git_url", "git_http_url", "git_ssh_url", "url")
                        .map(name -> repository.path(name).asText(""))
                        .filter(PushEvent::mayBeKnown)
                        .distinct()
                        .toList();
        return new PushEvent(addresses, event.path("installation").path("id").asLong(-1), event.path("ref").asText(""),
                event.path("deleted").asBoolean(false));
    }

    /** An account's own webhook is greeted without a repository. */
    private static List<String> account(JsonNode event) {
        String url = event.path("organization").path("url").asText("");
        Matcher account = ACCOUNT.matcher(mayBeKnown(url) ? url : "");
        if (!account.matches()) {
            return List.of();
        }
        String host = account.group(2) == null ? account.group(3) : account.group(2);
        return List.of(account.group(1) + host + "/" + account.group(4));
    }

    /** The database refuses to be asked for what it could not keep. */
    private static boolean mayBeKnown(String address) {
        return !address.isEmpty() && address.length() <= LONGEST && address.indexOf('\0') < 0;
    }

    private static JsonNode read(byte[] body, ObjectMapper json) {
        try {
            return json.readTree(body);
        } catch (IOException e) {
            throw new ProblemException(CommonProblem.MALFORMED_REQUEST, "The body is not one well-formed JSON object.", e);
        }
    }
}
