package dev.waybill.controlplane.source.host;

import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.controlplane.source.RepositoryHost;
import dev.waybill.controlplane.source.RepositoryListing.Listed;

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
