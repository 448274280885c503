package dev.waybill.controlplane.source;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.controlplane.source.SourceClient.RepositoryHost;
import dev.waybill.controlplane.source.SourceClient.RepositoryListing.Listed;

/** The repository listing API of one provider. */
sealed interface HostApi {

    /** Returns the base URL of the API, without a trailing slash. */
    String root();

    /** Returns the path of a page, counted from 1, relative to the root. */
    String path(int page);

    int pageSize();

    Map<String, String> headers();

    /** Reads an entry of a page; by default in GitHub's format, which Gitea has adopted. */
    default Listed read(JsonNode entry) {
        return new Listed(entry.path("owner").path("login").asText(), entry.path("name").asText(),
                entry.path("clone_url").asText(), text(entry, "default_branch"), entry.path("private").asBoolean());
    }

    /** Returns GitHub's path of the token's repositories, or of the account's public ones. */
    static String repositories(RepositoryHost host) {
        return token(host) == null ? "/users/" + encoded(host.account()) + "/repos" : "/user/repos";
    }

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

    /** GitHub and GitHub Enterprise Server. */
    record GitHubApi(RepositoryHost host) implements HostApi {

        private static final int PAGE = 100;

        @Override
        public String root() {
            String root = HostApi.hostRoot(host);
            return root.equals("https://github.com") ? "https://api.github.com" : root + "/api/v3";
        }

        @Override
        public String path(int page) {
            return HostApi.repositories(host) + "?per_page=" + PAGE + "&page=" + page;
        }

        @Override
        public int pageSize() {
            return PAGE;
        }

        @Override
        public Map<String, String> headers() {
            String token = HostApi.token(host);
            return token == null ? Map.of() : Map.of("Authorization", "Bearer " + token);
        }
    }

    /** GitLab.com and self-managed GitLab. */
    record GitLabApi(RepositoryHost host) implements HostApi {

        private static final int PAGE = 100;

        @Override
        public String root() {
            return HostApi.hostRoot(host) + "/api/v4";
        }

        @Override
        public String path(int page) {
            String whose = HostApi.token(host) == null
                    ? "/groups/" + HostApi.encoded(host.account()) + "/projects?include_subgroups=true&"
                    : "/projects?membership=true&";
            return whose + "per_page=" + PAGE + "&page=" + page;
        }

        @Override
        public int pageSize() {
            return PAGE;
        }

        @Override
        public Map<String, String> headers() {
            String token = HostApi.token(host);
            return token == null ? Map.of() : Map.of("PRIVATE-TOKEN", token);
        }

        @Override
        public Listed read(JsonNode entry) {
            return new Listed(entry.path("namespace").path("full_path").asText(), entry.path("path").asText(),
                    entry.path("http_url_to_repo").asText(), HostApi.text(entry, "default_branch"),
                    !entry.path("visibility").asText().equals("public"));
        }
    }

    /** Gitea and Forgejo. */
    record GiteaApi(RepositoryHost host) implements HostApi {

        private static final int PAGE = 50;

        @Override
        public String root() {
            return HostApi.hostRoot(host) + "/api/v1";
        }

        @Override
        public String path(int page) {
            return HostApi.repositories(host) + "?limit=" + PAGE + "&page=" + page;
        }

        @Override
        public int pageSize() {
            return PAGE;
        }

        @Override
        public Map<String, String> headers() {
            String token = HostApi.token(host);
            return token == null ? Map.of() : Map.of("Authorization", "token " + token);
        }
    }
}
