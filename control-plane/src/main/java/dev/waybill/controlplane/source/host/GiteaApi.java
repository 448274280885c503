package dev.waybill.controlplane.source.host;

import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.controlplane.source.RepositoryHost;
import dev.waybill.controlplane.source.RepositoryListing.Listed;

/** Gitea and Forgejo. */
record GiteaApi(RepositoryHost host) implements HostApi {

    private static final int PAGE = 50;

    @Override
    public String root() {
        return HostApi.hostRoot(host) + "/api/v1";
    }

    @Override
    public String path(int page) {
        String whose = HostApi.token(host) == null ? "/users/" + HostApi.encoded(host.account()) + "/repos" : "/user/repos";
        return whose + "?limit=" + PAGE + "&page=" + page;
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

    @Override
    public Listed read(JsonNode entry) {
        return new Listed(entry.path("owner").path("login").asText(), entry.path("name").asText(),
                entry.path("clone_url").asText(), HostApi.text(entry, "default_branch"), entry.path("private").asBoolean());
    }
}
