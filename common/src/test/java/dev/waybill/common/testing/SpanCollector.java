package dev.waybill.common.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;

import org.eclipse.microprofile.config.ConfigProvider;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;

/**
 * A collector for OTLP over HTTP. {@code GET /spans} returns the received spans, because the service under test and its tests
 * have different class loaders.
 */
public final class SpanCollector implements AutoCloseable {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String ENDPOINT = "waybill.telemetry.endpoint";

    private final HttpServer server;
    private final List<CollectedSpan> spans = new ArrayList<>();

    /**
     * A received span.
     *
     * @param parentId empty for the root of a trace
     * @param links ids of the linked traces
     */
    public record CollectedSpan(String service, String name, String kind, String traceId, String spanId, String parentId,
            List<String> links, Map<String, String> attributes, String status) {
    }

    public SpanCollector() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/v1/traces", this::receive);
        server.createContext("/spans", exchange -> respond(exchange, MAPPER.writeValueAsBytes(spans())));
        server.start();
    }

    /** Returns settings with which the service under test sends its spans to this collector. */
    public Map<String, String> settings() {
        return Map.of(ENDPOINT, address().toString());
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Returns the spans received so far. */
    public synchronized List<CollectedSpan> spans() {
        return List.copyOf(spans);
    }

    /** Returns the spans that the service under test has sent so far. */
    public static List<CollectedSpan> collected() {
        URI address = URI.create(ConfigProvider.getConfig().getValue(ENDPOINT, String.class) + "/spans");
        try (HttpClient client = HttpClient.newHttpClient()) {
            byte[] body = client.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofByteArray()).body();
            return MAPPER.readValue(body, new TypeReference<List<CollectedSpan>>() {
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void receive(HttpExchange exchange) throws IOException {
        ExportTraceServiceRequest request;
        try (InputStream body = new GZIPInputStream(exchange.getRequestBody())) {
            request = ExportTraceServiceRequest.parseFrom(body);
        }
        synchronized (this) {
            request.getResourceSpansList().forEach(this::add);
        }
        respond(exchange, new byte[0]);
    }

    private void add(ResourceSpans of) {
        String service = attributes(of.getResource().getAttributesList()).getOrDefault("service.name", "");
        of.getScopeSpansList().forEach(scope -> scope.getSpansList().forEach(span -> spans.add(new CollectedSpan(service,
                span.getName(), span.getKind().name().replace("SPAN_KIND_", ""), hex(span.getTraceId()), hex(span.getSpanId()),
                hex(span.getParentSpanId()), span.getLinksList().stream().map(link -> hex(link.getTraceId())).toList(),
                attributes(span.getAttributesList()), span.getStatus().getCode().name().replace("STATUS_CODE_", "")))));
    }

    private static Map<String, String> attributes(List<KeyValue> list) {
        Map<String, String> attributes = new TreeMap<>();
        list.forEach(attribute -> attributes.put(attribute.getKey(), text(attribute.getValue())));
        return attributes;
    }

    private static String text(AnyValue value) {
        return value.hasIntValue() ? String.valueOf(value.getIntValue()) : value.getStringValue();
    }

    private static String hex(ByteString id) {
        return HexFormat.of().formatHex(id.toByteArray());
    }

    private static void respond(HttpExchange exchange, byte[] body) throws IOException {
        exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
