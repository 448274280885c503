package dev.waybill.controlplane.source.host;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.controlplane.source.Credential;
import dev.waybill.controlplane.source.RepositoryHost;
import dev.waybill.controlplane.source.RepositoryListing.Listed;

/** The repository listing API of one provider. */
sealed interface HostApi permits GitHubApi, GitLabApi, GiteaApi {

    /** Returns the base URL of the API, without a trailing slash. */
    String root();

    /** Returns the path of a page, counted from 1, relative to the root. */
    String path(int page);

    int pageSize();

    Map<String, String> headers();

    Listed read(JsonNode entry);

    /** Returns the base URL of the host: the account's URL without the account. */
    static String hostRoot(RepositoryHost host) {
        String base = host.baseUrl().replaceAll("/+$", "");
        String account = "/" + host.account();
        return base.endsWith(account) ? base.substring(0, base.length() - account.length()) : origin(base);
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    static @Nullable String token(RepositoryHost host) {
        return host.credential() instanceof Credential.AccessToken token ? token.secret() : null;
    }

    static @Nullable String text(JsonNode node, String member) {
        JsonNode value = node.get(member);
        return value == null || !value.isTextual() ? null : value.textValue();
    }

    private static String origin(String base) {
        URI url = URI.create(base);
        return url.getScheme() + "://" + url.getRawAuthority();
    }
}
