package dev.waybill.export.storage;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PfxOptions;

/**
 * Proxies a real S3 server and injects faults into selected calls: rejections, errors, disconnects before or after the call
 * takes effect, other responses. Without a rule, calls pass unchanged, including signatures.
 */
public final class FaultProxy implements AutoCloseable {

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2).setWorkerPoolSize(1));
    private final HttpClient client = vertx.createHttpClient(new HttpClientOptions().setDecompressionSupported(false));
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private final List<S3Call> calls = new CopyOnWriteArrayList<>();
    private final Set<String> headers = ConcurrentHashMap.newKeySet();
    private final URI target;
    private final boolean isSecure;
    private final HttpServer server;

    private FaultProxy(URI target, HttpServerOptions options) {
        this.target = target;
        this.isSecure = options.isSsl();
        this.server = vertx.createHttpServer(options.setHost("127.0.0.1").setPort(0).setHandle100ContinueAutomatically(true));
    }

    /** Starts a proxy on a free loopback port. */
    public static FaultProxy before(URI target) {
        return listening(new FaultProxy(target, new HttpServerOptions()));
    }

    /** Starts a proxy that uses TLS with this key and certificate. */
    public static FaultProxy securelyBefore(URI target, PfxOptions key) {
        return listening(new FaultProxy(target, new HttpServerOptions().setSsl(true).setKeyCertOptions(key)));
    }

    private static FaultProxy listening(FaultProxy proxy) {
        proxy.server.requestHandler(proxy::handle);
        await(proxy.server.listen().toCompletionStage());
        return proxy;
    }

    public URI endpoint() {
        return URI.create((isSecure ? "https" : "http") + "://127.0.0.1:" + server.actualPort());
    }

    /** Applies the fault to every call of this operation. */
    public FaultProxy always(String operation, Fault fault) {
        return times(Integer.MAX_VALUE, operation, fault);
    }

    /** Applies the fault to the next {@code count} calls of this operation. */
    public FaultProxy times(int count, String operation, Fault fault) {
        return times(count, call -> call.operation().equals(operation), fault);
    }

    /** Applies the fault to every matching call. */
    public FaultProxy always(Predicate<S3Call> calls, Fault fault) {
        return times(Integer.MAX_VALUE, calls, fault);
    }

    /** Applies the fault to the next {@code count} matching calls. */
    public FaultProxy times(int count, Predicate<S3Call> calls, Fault fault) {
        rules.add(new Rule(calls, fault, new AtomicInteger(count)));
        return this;
    }

    /** Removes all rules and recorded calls. */
    public void clear() {
        rules.clear();
        calls.clear();
    }

    /** Returns the calls since the last {@link #clear}. */
    public List<S3Call> calls() {
        return List.copyOf(calls);
    }

    /** Returns the names of all headers ever received, in lower case. */
    public Set<String> headers() {
        return Set.copyOf(headers);
    }

    @Override
    public void close() {
        await(vertx.close().toCompletionStage());
    }

    private void handle(HttpServerRequest request) {
        S3Call call = S3Call.of(request);
        calls.add(call);
        headers.addAll(request.headers().names().stream().map(name -> name.toLowerCase(Locale.ROOT)).toList());
        Fault fault = rules.stream()
                .filter(rule -> rule.calls().test(call))
                .filter(rule -> rule.left().getAndUpdate(left -> Math.max(0, left - 1)) > 0)
                .map(Rule::fault)
                .findFirst()
                .orElse(new Fault.None());
        switch (fault) {
            case Fault.Drop _ -> request.connection().close();
            case Fault.NoResponse _ -> request.body();
            case Fault.Respond(int status, String type, String body) -> request.body()
                    .onSuccess(ignored -> request.response().setStatusCode(status).putHeader("Content-Type", type)
                            .end("HEAD".equals(call.method()) ? "" : body));
            case Fault.Redirect(int status, String location) -> request.body()
                    .onSuccess(ignored -> request.response().setStatusCode(status).putHeader("Location", location)
                            .putHeader("x-amz-bucket-region", "eu-west-1").end());
            case Fault.Block(var until) -> {
                Context context = vertx.getOrCreateContext();
                Future<Buffer> content = request.body();
                content.onSuccess(ignored -> until
                        .thenRun(() -> context.runOnContext(go -> forward(request, content, fault))));
            }
            default -> forward(request, request.body(), fault);
        }
    }

    /**
     * Forwards the call.
     *
     * @param content the request's body, which can be read only once
     */
    private void forward(HttpServerRequest request, Future<Buffer> content, Fault fault) {
        content.map(body -> fault instanceof Fault.Corrupt ? corrupted(body) : body)
                .compose(body -> client.request(new RequestOptions()
                        .setMethod(request.method())
                        .setHost(target.getHost())
                        .setPort(target.getPort())
                        .setURI(request.uri())
                        .setHeaders(fault instanceof Fault.Encrypt(var keys)
                                ? EncryptionHeaders.removed(request, body, target, keys)
                                : request.headers()))
                        .compose(forwarded -> forwarded.send(body)))
                .compose(upstream -> upstream.body().map(body -> Map.entry(upstream, body)))
                .onFailure(e -> request.connection().close())
                .onSuccess(received -> {
                    var upstream = received.getKey();
                    Buffer body = received.getValue();
                    var response = request.response().setStatusCode(upstream.statusCode());
                    response.headers().addAll(upstream.headers()).remove("Transfer-Encoding");
                    switch (fault) {
                        case Fault.DropAfter _ -> request.connection().close();
                        case Fault.NoResponseAfter _ -> {
                        }
                        case Fault.RespondAfter(int status, String text) -> response.setStatusCode(status)
                                .putHeader("Content-Length", Integer.toString(text.length())).end(text);
                        case Fault.OtherSize(long size) -> response.putHeader("Content-Length", Long.toString(size)).end();
                        case Fault.OtherTag(String etag) -> response.putHeader("ETag", "\"" + etag + "\"").end();
                        default -> response.end(body);
                    }
                });
    }

    private static Buffer corrupted(Buffer body) {
        return body.copy().setByte(body.length() / 2, (byte) ~body.getByte(body.length() / 2));
    }

    private static <T> T await(java.util.concurrent.CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(2, TimeUnit.MINUTES);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private record Rule(Predicate<S3Call> calls, Fault fault, AtomicInteger left) {
    }

    /** A fault of a call. */
    public sealed interface Fault {

        /** Returns an S3 error; the call does not reach the store. */
        static Fault error(int status, String code) {
            return new Respond(status, "application/xml", """
                    <?xml version="1.0" encoding="UTF-8"?>
                    <Error><Code>%s</Code><Message>message of the proxy</Message><RequestId>1</RequestId></Error>"""
                    .formatted(code));
        }

        record None() implements Fault {
        }

        /** A byte of the content changes in transit. */
        record Corrupt() implements Fault {
        }

        /** The connection closes before the call reaches the store. */
        record Drop() implements Fault {
        }

        /** The call takes effect, and its response is lost. */
        record DropAfter() implements Fault {
        }

        /** The call takes effect and receives no response. */
        record NoResponseAfter() implements Fault {
        }

        /** The call receives no response. */
        record NoResponse() implements Fault {
        }

        record Respond(int status, String type, String body) implements Fault {
        }

        /** The call takes effect and receives another response. */
        record RespondAfter(int status, String body) implements Fault {
        }

        /** A response to HEAD contains another size. */
        record OtherSize(long size) implements Fault {
        }

        /** A redirect, as buckets in other regions return. */
        record Redirect(int status, String location) implements Fault {
        }

        /** The call waits until the test releases it, then passes. */
        record Block(CompletableFuture<Void> until) implements Fault {
        }

        /** The call passes without encryption headers, signed with these keys. */
        record Encrypt(StorageCredentials keys) implements Fault {
        }

        /** A response to HEAD contains another entity tag. */
        record OtherTag(String etag) implements Fault {
        }
    }

    /** A recorded call of the S3 protocol. */
    public record S3Call(String method, String path, String query, Map<String, String> headers) {

        static S3Call of(HttpServerRequest request) {
            Map<String, String> headers = new java.util.TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            request.headers().forEach(header -> headers.put(header.getKey(), header.getValue()));
            return new S3Call(request.method().name(), request.path(), request.query() == null ? "" : request.query(), headers);
        }

        /** Returns the operation's name in the S3 protocol. */
        public String operation() {
            boolean upload = query.contains("uploadId=");
            return switch (method) {
                case "PUT" -> upload ? "UploadPart" : "PutObject";
                case "POST" -> upload ? "CompleteMultipartUpload" : "CreateMultipartUpload";
                case "DELETE" -> upload ? "AbortMultipartUpload" : "DeleteObject";
                case "HEAD" -> "HeadObject";
                default -> query.contains("uploads") ? "ListMultipartUploads"
                        : query.contains("list-type=2") ? "ListObjects" : "GetObject";
            };
        }
    }
}
