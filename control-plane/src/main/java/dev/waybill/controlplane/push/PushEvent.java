package dev.waybill.controlplane.push;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;

/**
 * The members of a push event that Waybill uses.
 *
 * @param addresses every URL that the host gives for the repository, or for the account if the event names no
 *        repository
 * @param installationId the provider's id of the installation; -1 if missing
 * @param ref the full ref name; empty if missing
 * @param deleted whether the push deleted the branch
 */
record PushEvent(List<String> addresses, long installationId, String ref, boolean deleted) {

    private static final int MAX_ADDRESS_LENGTH = 2_000;
    private static final String REPOSITORY = "repository";
    private static final List<String> ADDRESSES = Stream
            .of("clone_url", "html_url", "ssh_url", "git_url", "git_http_url", "git_ssh_url", "url")
            .map(name -> REPOSITORY + "." + name)
            .toList();
    private static final Set<String> CONTAINERS = Set.of(REPOSITORY, "installation", "organization");
    private static final Set<String> MEMBERS = Set.of("ref", "deleted", "installation.id", "organization.url");
    /** API URLs of accounts on github.com and on GitHub Enterprise Server, for events without the account's web URL. */
    private static final Pattern ACCOUNT = Pattern.compile("(https?://)(?:api\\.(github\\.com)|([^/]+)/api/v3)/orgs/([^/]+)");

    /**
     * Parses the body as a stream and retains only known members, because unauthenticated bodies can hold any number of
     * others. Fails with 400 if the body is not a JSON object.
     */
    static PushEvent parse(byte[] body, JsonFactory json) {
        Map<String, String> members = new HashMap<>();
        try (JsonParser parser = json.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw malformed(null);
            }
            read(parser, "", members);
            if (parser.nextToken() != null) {
                throw malformed(null);
            }
        } catch (IOException e) {
            throw malformed(e);
        }
        return from(members);
    }

    private static void read(JsonParser parser, String prefix, Map<String, String> members) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            // A member name with a dot must not be mistaken for a nested path.
            String name = parser.currentName().indexOf('.') < 0 ? prefix + parser.currentName() : "";
            JsonToken value = parser.nextToken();
            if (CONTAINERS.contains(name)) {
                members.put(name, "");
            }
            if (value == JsonToken.START_OBJECT && CONTAINERS.contains(name)) {
                read(parser, name + ".", members);
            } else if (value.isScalarValue() && (MEMBERS.contains(name) || ADDRESSES.contains(name))) {
                members.put(name, parser.getValueAsString(""));
            } else {
                parser.skipChildren();
            }
        }
    }

    private static PushEvent from(Map<String, String> members) {
        List<String> addresses = members.containsKey(REPOSITORY)
                ? ADDRESSES.stream()
                        .map(name -> members.getOrDefault(name, ""))
                        .filter(PushEvent::isStorable)
                        .distinct()
                        .toList()
                : account(members.getOrDefault("organization.url", ""));
        String installation = members.getOrDefault("installation.id", "");
        return new PushEvent(addresses, installation.matches("[0-9]{1,18}") ? Long.parseLong(installation) : -1,
                members.getOrDefault("ref", ""), members.getOrDefault("deleted", "").equals("true"));
    }

    /** Returns the account's web URL; events of account-wide webhooks can lack a repository. */
    private static List<String> account(String url) {
        Matcher account = ACCOUNT.matcher(isStorable(url) ? url : "");
        if (!account.matches()) {
            return List.of();
        }
        String host = account.group(2) == null ? account.group(3) : account.group(2);
        return List.of(account.group(1) + host + "/" + account.group(4));
    }

    /** PostgreSQL rejects parameters with U+0000. */
    private static boolean isStorable(String address) {
        return !address.isEmpty() && address.length() <= MAX_ADDRESS_LENGTH && address.indexOf('\0') < 0;
    }

    private static ProblemException malformed(@Nullable Throwable cause) {
        return new ProblemException(CommonProblem.MALFORMED_REQUEST, "The body is not a well-formed JSON object.", cause);
    }
}
