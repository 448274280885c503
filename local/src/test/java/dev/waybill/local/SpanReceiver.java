package dev.waybill.local;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;

/** An OTLP/HTTP collector that stores the spans of several services. */
final class SpanReceiver {

    private final HttpServer server;
    private final List<Span> spans = new CopyOnWriteArrayList<>();

    /** A span; {@code text} contains all of it. */
    record Span(String service, String name, SpanKind kind, String traceId, String spanId, String parentId, String text) {
    }

    SpanReceiver() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/v1/traces", this::receive);
        server.start();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    List<Span> of(String traceId) {
        return spans.stream().filter(span -> span.traceId().equals(traceId)).toList();
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange; InputStream body = new GZIPInputStream(exchange.getRequestBody())) {
            ExportTraceServiceRequest.parseFrom(body).getResourceSpansList().forEach(this::add);
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private void add(ResourceSpans resource) {
        String service = resource.getResource().getAttributesList().stream()
                .filter(attribute -> attribute.getKey().equals("service.name"))
                .map(attribute -> attribute.getValue().getStringValue()).findFirst().orElse("");
        resource.getScopeSpansList().forEach(scope -> scope.getSpansList().forEach(span -> spans.add(new Span(service,
                span.getName(), span.getKind(), hex(span.getTraceId()), hex(span.getSpanId()), hex(span.getParentSpanId()),
                span.toString()))));
    }

    private static String hex(ByteString id) {
        return HexFormat.of().formatHex(id.toByteArray());
    }
}
