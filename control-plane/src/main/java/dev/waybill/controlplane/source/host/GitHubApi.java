package dev.waybill.controlplane.source.host;

import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.controlplane.source.RepositoryHost;
import dev.waybill.controlplane.source.RepositoryListing.Listed;

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
        String whose = HostApi.token(host) == null ? "/users/" + HostApi.encoded(host.account()) + "/repos" : "/user/repos";
        return whose + "?per_page=" + PAGE + "&page=" + page;
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

    @Override
    public Listed read(JsonNode entry) {
        return new Listed(entry.path("owner").path("login").asText(), entry.path("name").asText(),
                entry.path("clone_url").asText(), HostApi.text(entry, "default_branch"), entry.path("private").asBoolean());
    }
}
