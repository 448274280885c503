package dev.waybill.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.jspecify.annotations.Nullable;

import feign.InvocationContext;
import feign.RequestTemplate;
import feign.Response;
import feign.ResponseInterceptor;
import feign.codec.Decoder;
import feign.codec.Encoder;

/** Writes the bodies of requests, reads those of responses, and converts errors. */
final class JsonBodies implements Encoder, Decoder, ResponseInterceptor {

    private static final int TEMPORARY_REDIRECT = 307;

    @Override
    public void encode(Object body, Type type, RequestTemplate request) {
        switch (body) {
            case RunsMultipart runs -> multipart(runs.parts(), request);
            case Multipart parts -> multipart(parts, request);
            default -> {
                request.header("Content-Type", "application/json");
                request.body(WireJson.write(body).getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
            }
        }
    }

    private static void multipart(Multipart parts, RequestTemplate request) {
        request.header("Content-Type", parts.contentType());
        request.header("Content-Encoding", "gzip");
        request.body(parts.toGzip(), null);
    }

    @Override
    public @Nullable Object decode(Response response, Type type) throws IOException {
        InputStream body = response.body().asInputStream();
        if (type == RunStream.class) {
            return new RunStream(body, WireJson.MAPPER);
        }
        try (body) {
            if (type == byte[].class) {
                return body.readAllBytes();
            }
            if (type == String.class) {
                return new String(body.readAllBytes(), StandardCharsets.UTF_8);
            }
            return WireJson.MAPPER.readValue(body, WireJson.MAPPER.constructType(type));
        }
    }

    /** Reads a search without results so far as its empty page, whose cursor continues it (docs/traces.md). */
    @Override
    public @Nullable Object intercept(InvocationContext call, Chain chain) throws Exception {
        return isEmptyPage(call.response()) ? decode(call.response(), call.returnType()) : chain.next(call);
    }

    private static boolean isEmptyPage(Response response) {
        return response.status() == TEMPORARY_REDIRECT && response.request().url().endsWith("/runs/query")
                && response.headers().getOrDefault("Content-Type", List.of()).stream()
                        .anyMatch(type -> type.startsWith("application/json"));
    }

    static RuntimeException error(Response response) {
        String request = response.request().httpMethod() + " " + response.request().url();
        try (InputStream body = response.body().asInputStream()) {
            return new WaybillException(response.status(), request, new String(body.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            return new UncheckedIOException(request + " failed", e);
        }
    }
}
