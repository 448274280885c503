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

/** How one kind of host lists the repositories of an account. */
sealed interface HostApi permits GitHubApi, GitLabApi, GiteaApi {

    /** Where its interface begins, without a slash at the end. */
    String root();

    /** Of a page, counted from 1, behind the root. */
    String path(int page);

    int pageSize();

    Map<String, String> headers();

    Listed read(JsonNode entry);

    /** The address of the account without the account: where the host itself begins. */
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
