package dev.waybill.controlplane.source.guard;

import java.io.Closeable;
import java.io.IOException;
import java.net.Proxy;
import java.net.URI;
import java.net.URL;
import java.time.Duration;

import org.apache.http.impl.client.CloseableHttpClient;
import org.eclipse.jgit.transport.http.HttpConnection;
import org.eclipse.jgit.transport.http.HttpConnectionFactory;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.net.TrustedAuthorities;

/**
 * JGit's HTTP connections to one repository host, through a client of {@link GuardedHttpClientFactory} and with limits
 * of time and size.
 */
public final class GuardedHttpConnectionFactory implements HttpConnectionFactory, Closeable {

    private final URI repository;
    private final CloseableHttpClient client;
    private final long maxBytes;
    private final SourceDeadline deadline;
    private final @Nullable String authorization;

    /** @param authorization the value of the header Authorization of every request; null for none */
    public GuardedHttpConnectionFactory(URI repository, @Nullable String authorization, NetworkSettings network, long maxBytes,
            SourceDeadline deadline) {
        this.repository = repository;
        this.authorization = authorization;
        this.maxBytes = maxBytes;
        this.deadline = deadline;
        this.client = GuardedHttpClientFactory.open(repository, network);
    }

    /** Network settings that are the same for all repositories. */
    public record NetworkSettings(AddressGuard guard, TrustedAuthorities authorities, Duration readTimeout) {
    }

    @Override
    public HttpConnection create(URL url) throws IOException {
        if (!url.getHost().equalsIgnoreCase(repository.getHost()) || url.getPort() != repository.getPort()
                || !url.getProtocol().equalsIgnoreCase(repository.getScheme())) {
            throw new IOException("requests to hosts other than the repository's are not allowed");
        }
        return new GuardedHttpConnection(client, url, authorization, maxBytes, deadline);
    }

    @Override
    public HttpConnection create(URL url, Proxy proxy) throws IOException {
        return create(url);
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
