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
import dev.waybill.controlplane.source.guard.GuardedHttpConnectionFactory.Network;

/**
 * A client for one server: at the addresses that the guard lets pass, looked up once for each connection and connected to as
 * they are; without redirects, cookies, proxies or packed answers.
 */
public final class GuardedHttpClientFactory {

    private GuardedHttpClientFactory() {
    }

    /** @param server {@linkplain AddressGuard#parse parsed} */
    public static CloseableHttpClient open(URI server, Network network) {
        int silence = Math.toIntExact(network.silence().toMillis());
        PoolingHttpClientConnectionManager connections = new PoolingHttpClientConnectionManager(
                RegistryBuilder.<ConnectionSocketFactory> create()
                        .register("http", PlainConnectionSocketFactory.getSocketFactory())
                        .register("https", new SSLConnectionSocketFactory(tls(network.authorities())))
                        .build(),
                host -> addresses(network.guard(), server, host));
        // Also while TLS is being agreed on.
        connections.setDefaultSocketConfig(SocketConfig.custom().setSoTimeout(silence).build());
        return HttpClientBuilder.create()
                .setConnectionManager(connections)
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setConnectTimeout(silence)
                        .setConnectionRequestTimeout(silence)
                        .setSocketTimeout(silence)
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
        if (!host.equalsIgnoreCase(plain(server.getHost()))) {
            throw new UnknownHostException("only one host is asked");
        }
        try {
            return guard.addresses(server).toArray(InetAddress[]::new);
        } catch (UnsafeAddressException e) {
            throw new UnknownHostException(e.getMessage());
        }
    }

    private static String plain(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static SSLContext tls(TrustedAuthorities authorities) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, authorities.managers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform speaks TLS", e);
        }
    }
}
