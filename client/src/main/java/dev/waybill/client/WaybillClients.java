package dev.waybill.client;

import java.lang.reflect.Method;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.json.JsonMapper;

import feign.Feign;
import feign.MethodMetadata;
import feign.Request;
import feign.Response;
import feign.Retryer;
import feign.jaxrs3.JAXRS3Contract;

/**
 * Creates clients of the services with the same key. Thread-safe; all clients share connections, which {@link #close} closes.
 * Requests are not retried. Errors of a service are a {@link WaybillException}, errors of the connection an
 * {@link java.io.UncheckedIOException}.
 */
public final class WaybillClients implements AutoCloseable {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(60);

    private final HttpClient http;
    private final JdkHttpTransport transport;
    private final Request.Options options;
    private final Map<String, String> headers;
    private final Map<Map.Entry<Class<?>, URI>, Object> created = new ConcurrentHashMap<>();

    private WaybillClients(HttpClient http, Request.Options options, Map<String, String> headers) {
        this.http = http;
        this.transport = new JdkHttpTransport(http);
        this.options = options;
        this.headers = Map.copyOf(headers);
    }

    /** Returns clients with an API key and the default timeouts. */
    public static WaybillClients of(String apiKey) {
        return builder().apiKey(apiKey).build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Returns the mapper for the JSON format of the API, for example to read the request for an upload from a file. */
    public static JsonMapper mapper() {
        return WireJson.MAPPER;
    }

    public ControlPlaneClient controlPlane(URI baseUrl) {
        return client(ControlPlaneClient.class, baseUrl);
    }

    public ExportClient exports(URI baseUrl) {
        return client(ExportClient.class, baseUrl);
    }

    /** @param baseUrl the experiment service */
    public ExperimentClient experiments(URI baseUrl) {
        return client(ExperimentClient.class, baseUrl);
    }

    /** @param baseUrl the experiment service */
    public TraceClient traces(URI baseUrl) {
        return client(TraceClient.class, baseUrl);
    }

    /** @param baseUrl the {@code url} of the deployment */
    public DeploymentClient deployment(URI baseUrl) {
        return client(DeploymentClient.class, baseUrl);
    }

    /** Returns a client of the assistants of a deployed application. */
    public AssistantClient assistants(URI baseUrl) {
        return client(AssistantClient.class, baseUrl);
    }

    /** Returns a client of the crons of a deployed application. */
    public CronClient crons(URI baseUrl) {
        return client(CronClient.class, baseUrl);
    }

    /** Returns a client of the threads and the store of a deployed application. */
    public ThreadClient threads(URI baseUrl) {
        return client(ThreadClient.class, baseUrl);
    }

    /** Returns a client for requests that no interface covers. */
    public JsonClient json() {
        return new JsonClient(this);
    }

    /** Returns clients that also send this header, for example {@code Idempotency-Key}, and share the connections. */
    public WaybillClients withHeader(String name, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(name, value);
        return new WaybillClients(http, options, more);
    }

    @Override
    public void close() {
        http.close();
    }

    Response send(Request.HttpMethod method, URI address, byte @Nullable [] json) {
        Map<String, Collection<String>> sent = new TreeMap<>();
        headers.forEach((name, value) -> sent.put(name, List.of(value)));
        if (json != null) {
            sent.put("Content-Type", List.of("application/json"));
        }
        Request request = Request.create(method, address.toString(), sent, json, StandardCharsets.UTF_8, null);
        return transport.execute(request, options);
    }

    private <T> T client(Class<T> type, URI baseUrl) {
        return type.cast(created.computeIfAbsent(Map.entry(type, baseUrl), _ -> create(type, baseUrl)));
    }

    private <T> T create(Class<T> type, URI baseUrl) {
        JsonBodies bodies = new JsonBodies();
        return Feign.builder()
                .contract(new PathContract())
                .client(transport)
                .options(options)
                .retryer(Retryer.NEVER_RETRY)
                .requestInterceptor(request -> headers.forEach((name, value) -> request.header(name, value)))
                .encoder(bodies)
                .decoder(bodies)
                .responseInterceptor(bodies)
                .doNotCloseAfterDecode()
                .errorDecoder((_, response) -> JsonBodies.error(response))
                .target(type, baseUrl.toString().replaceFirst("/+$", ""));
    }

    /** Encodes slashes in parameters of paths and queries. */
    private static final class PathContract extends JAXRS3Contract {

        @Override
        protected MethodMetadata parseAndValidateMetadata(Class<?> type, Method method) {
            MethodMetadata metadata = super.parseAndValidateMetadata(type, method);
            metadata.template().decodeSlash(false);
            return metadata;
        }
    }

    /** Settings of clients. */
    public static final class Builder {

        private final Map<String, String> headers = new TreeMap<>();
        private Duration connectTimeout = CONNECT_TIMEOUT;
        private Duration readTimeout = READ_TIMEOUT;

        private Builder() {
        }

        public Builder apiKey(String key) {
            headers.put("X-Api-Key", key);
            return this;
        }

        /** Sets the workspace, which only keys of a whole organization need. */
        public Builder workspace(UUID tenantId) {
            headers.put("X-Tenant-Id", tenantId.toString());
            return this;
        }

        public Builder connectTimeout(Duration timeout) {
            connectTimeout = timeout;
            return this;
        }

        /** Sets the maximum time until the head of a response; a stream may last longer. */
        public Builder readTimeout(Duration timeout) {
            readTimeout = timeout;
            return this;
        }

        public WaybillClients build() {
            HttpClient http = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(connectTimeout)
                    .build();
            Request.Options options = new Request.Options(connectTimeout, readTimeout, false);
            return new WaybillClients(http, options, headers);
        }
    }
}
