package dev.waybill.controlplane.source;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import jakarta.inject.Singleton;

import org.apache.http.HttpHeaders;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.impl.client.CloseableHttpClient;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;

import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.net.TrustedAuthorities;
import dev.waybill.common.net.UnsafeAddressException;
import dev.waybill.controlplane.source.HostApi.GitHubApi;
import dev.waybill.controlplane.source.HostApi.GitLabApi;
import dev.waybill.controlplane.source.HostApi.GiteaApi;
import dev.waybill.controlplane.source.SourceClient.RepositoryHost;
import dev.waybill.controlplane.source.SourceClient.RepositoryListing;
import dev.waybill.controlplane.source.SourceClient.RepositoryListing.Listed;
import dev.waybill.controlplane.source.guard.GuardedHttpClientFactory;
import dev.waybill.controlplane.source.guard.GuardedHttpConnectionFactory.NetworkSettings;
import dev.waybill.controlplane.source.guard.GuardedInputStream;
import dev.waybill.controlplane.source.guard.SourceDeadline;

/** Lists repositories page by page with the API of each provider. Blocks. */
@Singleton
public class RepositoryLister {

    private static final int MAX_PAGES = 10;
    private static final int MAX_RESPONSE_BYTES = 8 << 20;

    private final JsonMapper mapper = JsonMapper.builder().build();
    private final AddressGuard guard;
    private final NetworkSettings network;
    private final SourceConfig config;

    public RepositoryLister(AddressGuard guard, TrustedAuthorities authorities, SourceConfig config) {
        this.guard = guard;
        this.network = new NetworkSettings(guard, authorities, config.readTimeout());
        this.config = config;
    }

    public RepositoryListing of(RepositoryHost host) {
        if (RepositoryAddresses.isSsh(host.baseUrl())) {
            return new RepositoryListing.Failed("Repositories cannot be listed over ssh; set the repository's URL as the"
                    + " deployment's repo_url.");
        }
        HostApi api = switch (host.provider()) {
            case GITHUB -> new GitHubApi(host);
            case GITLAB -> new GitLabApi(host);
            case GITEA -> new GiteaApi(host);
            case OTHER -> null;
        };
        if (api == null) {
            return new RepositoryListing.Failed(
                    "Repositories of this provider cannot be listed; set the repository's URL as the deployment's repo_url.");
        }
        try {
            return new RepositoryListing.Found(fetchAll(api, host));
        } catch (UnsafeAddressException e) {
            return new RepositoryListing.Failed("The integration's base_url " + e.getMessage() + ".");
        } catch (SourceException e) {
            return new RepositoryListing.Failed(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return new RepositoryListing.Failed(
                    "The repository host returned an unexpected response; check the integration's base_url.");
        }
    }

    private List<Listed> fetchAll(HostApi api, RepositoryHost host) throws IOException {
        URI server = guard.parse(api.root());
        SourceDeadline deadline = SourceDeadline.in(config.timeout());
        List<Listed> found = new ArrayList<>();
        try (CloseableHttpClient client = GuardedHttpClientFactory.open(server, network)) {
            for (int page = 1; page <= MAX_PAGES; page++) {
                JsonNode entries = page(client, api, URI.create(api.root() + api.path(page)), deadline);
                for (JsonNode entry : entries) {
                    Listed repository = api.read(entry);
                    if (isUnder(repository.url(), host.baseUrl())) {
                        found.add(repository);
                    }
                }
                if (entries.size() < api.pageSize()) {
                    break;
                }
            }
        }
        return found;
    }

    private JsonNode page(CloseableHttpClient client, HostApi api, URI address, SourceDeadline deadline) throws IOException {
        HttpGet request = new HttpGet(address);
        request.setHeader(HttpHeaders.ACCEPT, "application/json");
        api.headers().forEach(request::setHeader);
        try (CloseableHttpResponse response = client.execute(request)) {
            int status = response.getStatusLine().getStatusCode();
            if (status == 401 || status == 403 || status == 404) {
                throw new SourceException(SourceException.Kind.UNREACHABLE,
                        "The repository host rejected the integration's token (HTTP " + status
                                + "); set a valid token that may list repositories.");
            }
            if (status != 200) {
                throw new SourceException(SourceException.Kind.UNAVAILABLE,
                        "The repository host returned HTTP " + status + "; retry later.");
            }
            return list(new GuardedInputStream(response.getEntity().getContent(), response, MAX_RESPONSE_BYTES, deadline));
        }
    }

    private JsonNode list(InputStream body) throws IOException {
        try (body) {
            JsonNode list = mapper.readTree(body);
            if (!list.isArray()) {
                throw new IOException("not a JSON array");
            }
            return list;
        } catch (JacksonException e) {
            throw new IOException("not JSON", e);
        }
    }

    private static boolean isUnder(String url, String baseUrl) {
        String base = baseUrl.endsWith("/") ? baseUrl : baseUrl + "/";
        return url.toLowerCase(Locale.ROOT).startsWith(base.toLowerCase(Locale.ROOT));
    }
}
