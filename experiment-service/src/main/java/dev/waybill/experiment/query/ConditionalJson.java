package dev.waybill.experiment.query;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.id.Digests;
import dev.waybill.common.negotiation.IfNoneMatch;
import dev.waybill.common.reactive.Blocking;
import io.smallrye.mutiny.Uni;

/** Writes large JSON responses with an entity tag, off the event loop, and in gzip if the client accepts it. */
@Singleton
class ConditionalJson {

    private static final int MIN_COMPRESSED_SIZE = 4 * 1024;
    private static final int HASH_LENGTH = 16;

    private final ObjectMapper json;
    private final Blocking blocking;

    ConditionalJson(ObjectMapper json, Blocking blocking) {
        this.json = json;
        this.blocking = blocking;
    }

    /** Returns the value with a tag that the caller derived from the stored rows. */
    Uni<RestResponse<byte[]>> respond(String tag, Object value, Client client) {
        return blocking.call(() -> response(tag, json.writeValueAsBytes(value), client));
    }

    /** Returns the value with the hash of its content as the tag, or 304. */
    Uni<RestResponse<byte[]>> respond(Object value, Client client) {
        return blocking.call(() -> {
            byte[] text = json.writeValueAsBytes(value);
            String tag = '"' + HexFormat.of().formatHex(Arrays.copyOf(Digests.sha256(text), HASH_LENGTH)) + '"';
            return client.known().contains(tag) ? notModified(tag) : response(tag, text, client);
        });
    }

    static RestResponse<byte[]> notModified(String tag) {
        return headers(RestResponse.ResponseBuilder.create(Response.Status.NOT_MODIFIED), tag).build();
    }

    private static RestResponse<byte[]> response(String tag, byte[] text, Client client) throws IOException {
        boolean isCompressed = client.acceptsGzip() && text.length >= MIN_COMPRESSED_SIZE;
        RestResponse.ResponseBuilder<byte[]> response = headers(
                RestResponse.ResponseBuilder.ok(isCompressed ? compress(text) : text), tag)
                .type(MediaType.APPLICATION_JSON_TYPE);
        return isCompressed ? response.header(HttpHeaders.CONTENT_ENCODING, "gzip").build() : response.build();
    }

    // The tag is weak: it is the same for the compressed content.
    private static RestResponse.ResponseBuilder<byte[]> headers(RestResponse.ResponseBuilder<byte[]> response, String tag) {
        return response.header(HttpHeaders.ETAG, "W/" + tag).header(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
    }

    private static byte[] compress(byte[] text) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(text.length / 4);
        try (GZIPOutputStream out = new FastGzipOutputStream(compressed)) {
            out.write(text);
        }
        return compressed.toByteArray();
    }

    /**
     * Headers of the request.
     *
     * @param known entity tags that it has
     */
    record Client(IfNoneMatch known, boolean acceptsGzip) {

        static Client of(@Nullable List<String> ifNoneMatch, @Nullable String acceptEncoding) {
            return new Client(IfNoneMatch.parse(ifNoneMatch), acceptEncoding != null && includesGzip(acceptEncoding));
        }

        private static boolean includesGzip(String acceptEncoding) {
            return Arrays.stream(acceptEncoding.toLowerCase(Locale.ROOT).split(","))
                    .map(coding -> coding.replaceAll("\\s", ""))
                    .anyMatch(coding -> coding.matches("(x-)?gzip(;q=(1(\\.0*)?|0\\.0*[1-9][0-9]*))?"));
        }
    }

    /** Compresses with the fastest level, because the response is needed at once. */
    private static final class FastGzipOutputStream extends GZIPOutputStream {

        FastGzipOutputStream(ByteArrayOutputStream out) throws IOException {
            super(out, 64 * 1024);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
