package dev.waybill.common.net;

import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;

import javax.net.ssl.X509TrustManager;

import jakarta.inject.Singleton;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TrustOptions;

/**
 * Posts JSON to URLs that customers give. Such a URL is untrusted: it must resolve to a public address, is resolved again for
 * each attempt, and the connection uses the verified address. Redirects are not followed. Its path and query often contain a
 * secret, so they must not be logged.
 */
@Singleton
public class WebhookClient {

    /** Timeout of the connection and of the response, each. */
    public static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final int MAX_RESPONSE_BYTES = 16 << 10;

    private final AddressGuard guard;
    private final Vertx vertx;
    private final HttpClient client;

    WebhookClient(AddressGuard guard, TrustedAuthorities authorities, Vertx vertx) {
        this.guard = guard;
        this.vertx = vertx;
        HttpClientOptions options = new HttpClientOptions().setConnectTimeout((int) TIMEOUT.toMillis());
        Arrays.stream(authorities.managers())
                .filter(X509TrustManager.class::isInstance)
                .findFirst()
                .ifPresent(manager -> options.setTrustOptions(TrustOptions.wrap(manager)));
        this.client = vertx.createHttpClient(options);
    }

    /**
     * Parses a URL without resolving its host.
     *
     * @throws UnsafeAddressException with a message that completes a sentence starting with the field's name
     */
    public Target parse(String url) {
        return Target.parse(url, guard);
    }

    /** Posts the body; fails unless the response status is 2xx, with a message that contains neither path nor query. */
    public Future<Integer> post(Target target, Map<String, String> headers, Buffer body) {
        return vertx.executeBlocking(() -> guard.addresses(target.address()).getFirst(), false)
                .compose(address -> post(target, address, headers, body));
    }

    private Future<Integer> post(Target target, InetAddress address, Map<String, String> headers, Buffer body) {
        URI url = target.address();
        boolean secure = "https".equalsIgnoreCase(url.getScheme());
        int port = url.getPort() != -1 ? url.getPort() : secure ? 443 : 80;
        RequestOptions request = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setServer(SocketAddress.inetSocketAddress(port, address.getHostAddress()))
                .setHost(url.getHost())
                .setPort(port)
                .setSsl(secure)
                .setURI(target.requestUri())
                .setTimeout(TIMEOUT.toMillis())
                .putHeader("Content-Type", "application/json");
        headers.forEach(request::putHeader);
        return client.request(request)
                .compose(call -> send(call, body))
                .compose(status -> status / 100 == 2
                        ? Future.succeededFuture(status)
                        : Future.failedFuture("response status " + status));
    }

    private Future<Integer> send(HttpClientRequest call, Buffer body) {
        Promise<Integer> status = Promise.promise();
        // The client's own timeout restarts with every byte.
        long timer = vertx.setTimer(TIMEOUT.toMillis(), ignored -> {
            status.tryFail("no response within " + TIMEOUT.toSeconds() + " s");
            call.reset();
        });
        call.send(body)
                .onFailure(status::tryFail)
                .onSuccess(response -> readBody(call, response, status));
        return status.future().onComplete(done -> vertx.cancelTimer(timer));
    }

    /** Reads a short body so that the connection can be reused; aborts a long one. Only the status matters. */
    private static void readBody(HttpClientRequest call, HttpClientResponse response, Promise<Integer> status) {
        int[] read = { 0 };
        response.exceptionHandler(status::tryFail);
        response.endHandler(ignored -> status.tryComplete(response.statusCode()));
        response.handler(part -> {
            read[0] += part.length();
            if (read[0] > MAX_RESPONSE_BYTES) {
                status.tryComplete(response.statusCode());
                call.reset();
            }
        });
    }

    /**
     * The URL of a webhook.
     *
     * @param query query with the question mark; may be empty
     */
    public record Target(URI address, String query) {

        private static final Pattern QUERY = Pattern.compile("(?:\\?(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?");

        // The guard verifies everything but the query, which does not affect the address.
        private static Target parse(String text, AddressGuard guard) {
            int mark = text.indexOf('?');
            Target target = new Target(guard.parse(mark < 0 ? text : text.substring(0, mark)),
                    mark < 0 ? "" : text.substring(mark));
            if (!QUERY.matcher(target.query).matches()) {
                throw new UnsafeAddressException("must have a query of plain characters and %-escapes, and no fragment");
            }
            return target;
        }

        /** Returns scheme, host and port, which contain no secret. */
        public String origin() {
            return address.getScheme() + "://" + address.getRawAuthority();
        }

        private String requestUri() {
            return (address.getRawPath().isEmpty() ? "/" : address.getRawPath()) + query;
        }
    }
}
