package dev.waybill.controlplane.engine.local.proxy;

import java.io.IOException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

import io.netty.channel.Channel;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.httpproxy.HttpProxy;
import io.vertx.httpproxy.ProxyContext;
import io.vertx.httpproxy.ProxyOptions;

/** Listens on a deployment's port, which stays open while the backend changes. */
final class ProxyListener implements AutoCloseable {

    private static final int BACKLOG = 1024;
    private static final int MAX_CONNECTIONS = 2_048;
    // Limit over all ports, by the memory of the heap.
    private static final int MAX_TOTAL_CONNECTIONS = 6_000;
    private static final Semaphore TOTAL_CONNECTIONS = new Semaphore(MAX_TOTAL_CONNECTIONS);
    private static final int KEEP_ALIVE_SECONDS = 10;
    private static final int CONNECT_MILLIS = 5_000;
    private static final int CHUNK_BYTES = 16 << 10;
    private static final int TIMEOUT_SECONDS = 8;

    private final Vertx vertx;
    private final HttpServerOptions options = new HttpServerOptions()
            .setAcceptBacklog(BACKLOG)
            .setHttp2ClearTextEnabled(false)
            .setHandle100ContinueAutomatically(true)
            .setMaxInitialLineLength(ClientConnection.MAX_HEAD_BYTES)
            .setMaxHeaderSize(ClientConnection.MAX_HEAD_BYTES)
            .setMaxChunkSize(CHUNK_BYTES);
    private final HttpProxy proxy;
    private final Semaphore connections = new Semaphore(MAX_CONNECTIONS);
    private final AtomicInteger requests = new AtomicInteger();
    private volatile Backend backend;
    private volatile @Nullable Channel server;
    private volatile boolean isClosed;
    private final AtomicBoolean isUndeployed = new AtomicBoolean();
    private String deployment = "";

    private ProxyListener(Vertx vertx, HttpClient client, Backend backend) {
        this.vertx = vertx;
        this.backend = backend;
        this.proxy = HttpProxy.reverseProxy(new ProxyOptions().setSupportWebSocket(false), client)
                .origin(ProxyListener::connect)
                .addInterceptor(new HeaderFilter());
    }

    /**
     * Returns the client of all listeners. It reuses connections to backends for much less than their idle timeout, so no
     * request is sent on a connection that is closing.
     */
    static HttpClient client(Vertx vertx) {
        return vertx.httpClientBuilder()
                .with(new HttpClientOptions()
                        .setKeepAlive(true)
                        .setKeepAliveTimeout(KEEP_ALIVE_SECONDS)
                        .setConnectTimeout(CONNECT_MILLIS)
                        .setMaxInitialLineLength(ClientConnection.MAX_HEAD_BYTES)
                        .setMaxHeaderSize(ClientConnection.MAX_HEAD_BYTES)
                        .setMaxChunkSize(CHUNK_BYTES))
                .with(new PoolOptions().setHttp1MaxSize(MAX_TOTAL_CONNECTIONS))
                .withConnectHandler(connection -> connection.exceptionHandler(ProxyListener::ignore))
                .build();
    }

    /** @param eventLoops the number of event loops that accept connections */
    static ProxyListener open(Vertx vertx, HttpClient client, String host, int port, Backend backend, int eventLoops)
            throws IOException {
        ProxyListener listener = new ProxyListener(vertx, client, backend);
        try {
            listener.deployment = await(vertx.deployVerticle(() -> listener.server(host, port),
                    new DeploymentOptions().setInstances(eventLoops)));
        } catch (IOException e) {
            throw new IOException("port " + port + " cannot be opened: " + e.getMessage(), e);
        }
        return listener;
    }

    private AbstractVerticle server(String host, int port) {
        return new AbstractVerticle() {
            @Override
            public void start(Promise<Void> started) {
                getVertx().createHttpServer(options)
                        .exceptionHandler(ProxyListener::ignore)
                        .connectionHandler(ProxyListener.this::accept)
                        .requestHandler(ProxyListener.this::forward)
                        .listen(port, host)
                        .<Void> mapEmpty()
                        .onComplete(started);
            }
        };
    }

    void routeTo(Backend next) {
        backend = next;
    }

    boolean routesTo(Backend other) {
        return backend == other;
    }

    /** Closes the connection immediately if a limit is exceeded. */
    private void accept(HttpConnection connection) {
        Channel channel = ((ConnectionBase) connection).channel();
        server = channel.parent();
        if (!connections.tryAcquire()) {
            channel.close();
            return;
        }
        if (!TOTAL_CONNECTIONS.tryAcquire()) {
            connections.release();
            channel.close();
            return;
        }
        ClientConnection.install(connection, options, () -> {
            TOTAL_CONNECTIONS.release();
            connections.release();
        });
    }

    private void forward(HttpServerRequest request) {
        ClientConnection connection = ClientConnection.of(request.connection());
        requests.incrementAndGet();
        Backend acquired = acquire();
        acquired.count();
        connection.begin(acquired, this::ended);
        request.response().endHandler(_ -> connection.end());
        proxy.handle(request);
    }

    /**
     * Returns the current backend after counting the request there; the check after counting ensures that a drained backend
     * gets no request.
     */
    private Backend acquire() {
        while (true) {
            Backend found = backend;
            found.acquire();
            if (found == backend) {
                return found;
            }
            found.release();
        }
    }

    private static Future<HttpClientRequest> connect(ProxyContext context) {
        HttpServerRequest request = context.request().proxiedRequest();
        Backend backend = ClientConnection.of(request.connection()).backend();
        return context.client().request(new RequestOptions().setServer(backend.address()).setHost("127.0.0.1"))
                .map(upstream -> {
                    upstream.exceptionHandler(ProxyListener::ignore);
                    if (request.response().closed()) {
                        upstream.reset();
                        throw new IllegalStateException("the client has disconnected");
                    }
                    String host = request.getHeader(HttpHeaders.HOST);
                    return host == null ? upstream : upstream.putHeader(HttpHeaders.HOST, host);
                });
    }

    // Failures of connections end their requests; the library would log each of them.
    private static void ignore(Throwable failure) {
    }

    private void ended() {
        if (requests.decrementAndGet() == 0 && isClosed) {
            undeploy();
        }
    }

    private Future<Void> undeploy() {
        return isUndeployed.compareAndSet(false, true) ? vertx.undeploy(deployment) : Future.succeededFuture();
    }

    /** Closes the port. Requests in progress continue; their connections close after the last one. */
    @Override
    public void close() throws IOException {
        isClosed = true;
        Channel listening = server;
        if (listening != null) {
            try {
                listening.close().await(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
        if (requests.get() == 0) {
            await(undeploy());
        }
    }

    private static <T> T await(Future<T> future) throws IOException {
        CompletionStage<T> result = future.toCompletionStage();
        try {
            return result.toCompletableFuture().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("no result within " + TIMEOUT_SECONDS + " s", e);
        }
    }
}
