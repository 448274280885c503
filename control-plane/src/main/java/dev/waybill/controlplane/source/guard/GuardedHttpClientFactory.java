package dev.waybill.controlplane.source.guard;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;

import javax.net.ssl.SSLContext;

import org.apache.http.client.config.CookieSpecs;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.config.RegistryBuilder;
import org.apache.http.config.SocketConfig;
import org.apache.http.conn.socket.ConnectionSocketFactory;
import org.apache.http.conn.socket.PlainConnectionSocketFactory;
import org.apache.http.conn.ssl.SSLConnectionSocketFactory;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClientBuilder;
import org.apache.http.impl.conn.PoolingHttpClientConnectionManager;

import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.net.TrustedAuthorities;
import dev.waybill.common.net.UnsafeAddressException;
import dev.waybill.controlplane.source.guard.GuardedHttpConnectionFactory.NetworkSettings;

/**
 * Creates HTTP clients for one server that connect only to addresses that the guard allows. The name is resolved once
 * for each connection, which then uses the checked address. Without redirects, cookies, proxies and compression.
 */
public final class GuardedHttpClientFactory {

    private GuardedHttpClientFactory() {
    }

    /** @param server {@linkplain AddressGuard#parse parsed} */
    public static CloseableHttpClient open(URI server, NetworkSettings network) {
        int readTimeout = Math.toIntExact(network.readTimeout().toMillis());
        PoolingHttpClientConnectionManager connections = new PoolingHttpClientConnectionManager(
                RegistryBuilder.<ConnectionSocketFactory> create()
                        .register("http", PlainConnectionSocketFactory.getSocketFactory())
                        .register("https", new SSLConnectionSocketFactory(tls(network.authorities())))
                        .build(),
                host -> addresses(network.guard(), server, host));
        // Applies to the TLS handshake, too.
        connections.setDefaultSocketConfig(SocketConfig.custom().setSoTimeout(readTimeout).build());
        return HttpClientBuilder.create()
                .setConnectionManager(connections)
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setConnectTimeout(readTimeout)
                        .setConnectionRequestTimeout(readTimeout)
                        .setSocketTimeout(readTimeout)
                        .setRedirectsEnabled(false)
                        .setCookieSpec(CookieSpecs.IGNORE_COOKIES)
                        .build())
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableContentCompression()
                .disableCookieManagement()
                .disableAuthCaching()
                .build();
    }

    private static InetAddress[] addresses(AddressGuard guard, URI server, String host) throws UnknownHostException {
        if (!host.equalsIgnoreCase(withoutBrackets(server.getHost()))) {
            throw new UnknownHostException("requests to other hosts are not allowed");
        }
        try {
            return guard.addresses(server).toArray(InetAddress[]::new);
        } catch (UnsafeAddressException e) {
            throw new UnknownHostException(e.getMessage());
        }
    }

    private static String withoutBrackets(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static SSLContext tls(TrustedAuthorities authorities) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, authorities.managers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("TLS is required on every Java platform", e);
        }
    }
}
