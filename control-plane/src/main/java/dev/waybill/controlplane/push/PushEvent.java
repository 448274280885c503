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
 * What matters of a push.
 *
 * @param addresses of the repository, in every spelling that its host gives; of what is about none, of the account
 * @param installationId the provider's number of the installation, -1 when it tells none
 * @param ref in full; empty when it tells none
 * @param deleted whether the branch is gone
 */
record PushEvent(List<String> addresses, long installationId, String ref, boolean deleted) {

    private static final int LONGEST = 2_000;
    private static final String REPOSITORY = "repository";
    private static final List<String> ADDRESSES = Stream
            .of("clone_url", "html_url", "ssh_url", "git_url", "git_http_url", "git_ssh_url", "url")
            .map(name -> REPOSITORY + "." + name)
            .toList();
    private static final Set<String> PARTS = Set.of(REPOSITORY, "installation", "organization");
    private static final Set<String> MEMBERS = Set.of("ref", "deleted", "installation.id", "organization.url");
    /** How an account is named where its page's address is not: github.com's, and that of a host of one's own. */
    private static final Pattern ACCOUNT = Pattern.compile("(https?://)(?:api\\.(github\\.com)|([^/]+)/api/v3)/orgs/([^/]+)");

    /**
     * Reads it member by member and keeps nothing else: a body that nobody signed may hold a million of whatever it likes. 400
     * when
     * it is no JSON object.
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
            // No name that only looks like a path is one.
            String name = parser.currentName().indexOf('.') < 0 ? prefix + parser.currentName() : "";
            JsonToken value = parser.nextToken();
            if (PARTS.contains(name)) {
                members.put(name, "");
            }
            if (value == JsonToken.START_OBJECT && PARTS.contains(name)) {
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
                        .filter(PushEvent::mayBeKnown)
                        .distinct()
                        .toList()
                : account(members.getOrDefault("organization.url", ""));
        String installation = members.getOrDefault("installation.id", "");
        return new PushEvent(addresses, installation.matches("[0-9]{1,18}") ? Long.parseLong(installation) : -1,
                members.getOrDefault("ref", ""), members.getOrDefault("deleted", "").equals("true"));
    }

    /** An account's own webhook is greeted without a repository. */
    private static List<String> account(String url) {
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

    private static ProblemException malformed(@Nullable Throwable cause) {
        return new ProblemException(CommonProblem.MALFORMED_REQUEST, "The body is not one well-formed JSON object.", cause);
    }
}
