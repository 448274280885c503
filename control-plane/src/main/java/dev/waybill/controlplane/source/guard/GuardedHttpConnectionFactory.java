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
 * How one host is spoken to: at the addresses that the guard lets pass, looked up once for each connection and connected to as
 * they are; without redirects, cookies, proxies or packed answers; within limits.
 */
public final class GuardedHttpConnectionFactory implements HttpConnectionFactory, Closeable {

    private final URI repository;
    private final CloseableHttpClient client;
    private final long mostBytes;
    private final Deadline deadline;
    private final @Nullable String authorization;

    /** @param authorization the header that is sent with every request to this host, or null */
    public GuardedHttpConnectionFactory(URI repository, @Nullable String authorization, Network network, long mostBytes, Deadline deadline) {
        this.repository = repository;
        this.authorization = authorization;
        this.mostBytes = mostBytes;
        this.deadline = deadline;
        this.client = GuardedHttpClientFactory.open(repository, network);
    }

    /** What is reached how, the same for all repositories. */
    public record Network(AddressGuard guard, TrustedAuthorities authorities, Duration silence) {
    }

    @Override
    public HttpConnection create(URL url) throws IOException {
        if (!url.getHost().equalsIgnoreCase(repository.getHost()) || url.getPort() != repository.getPort()
                || !url.getProtocol().equalsIgnoreCase(repository.getScheme())) {
            throw new IOException("only the repository's own host is asked");
        }
        return new GuardedHttpConnection(client, url, authorization, mostBytes, deadline);
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
