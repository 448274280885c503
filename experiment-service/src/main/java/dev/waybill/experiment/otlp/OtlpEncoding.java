package dev.waybill.experiment.otlp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;

import dev.waybill.experiment.json.Bytes;

/** The encodings of OTLP messages; a response uses the encoding of its request. */
enum OtlpEncoding {
    PROTOBUF("application/x-protobuf") {
        @Override
        List<Span> read(Bytes body, SpanLimits limits) {
            return ProtobufSpanReader.read(body, limits);
        }

        @Override
        byte[] response(int rejected, String message) {
            return rejected == 0 ? new byte[0]
                    : encode(out -> out.writeBytes(1, ByteString.copyFrom(encode(partial -> {
                        partial.writeInt64(1, rejected);
                        partial.writeString(2, message);
                    }))));
        }

        @Override
        byte[] status(int code, String message) {
            return encode(out -> {
                out.writeInt32(1, code);
                out.writeString(2, message);
            });
        }
    },
    JSON("application/json") {
        @Override
        List<Span> read(Bytes body, SpanLimits limits) {
            return JsonSpanReader.read(body, limits);
        }

        @Override
        byte[] response(int rejected, String message) {
            Map<String, Object> partial = new LinkedHashMap<>();
            partial.put("rejectedSpans", Integer.toString(rejected));
            partial.put("errorMessage", message);
            return json(rejected == 0 ? Map.of() : Map.of("partialSuccess", partial));
        }

        @Override
        byte[] status(int code, String message) {
            Map<String, Object> status = new LinkedHashMap<>();
            status.put("code", code);
            status.put("message", message);
            return json(status);
        }
    };

    private final String mediaType;

    OtlpEncoding(String mediaType) {
        this.mediaType = mediaType;
    }

    /** Returns the encoding for a Content-Type; protobuf unless it is JSON. */
    static OtlpEncoding of(String contentType) {
        return contentType.strip().toLowerCase(Locale.ROOT).startsWith(JSON.mediaType) ? JSON : PROTOBUF;
    }

    String mediaType() {
        return mediaType;
    }

    /** Parses the spans of an {@code ExportTraceServiceRequest}. */
    abstract List<Span> read(Bytes body, SpanLimits limits);

    /** Encodes an {@code ExportTraceServiceResponse}. */
    abstract byte[] response(int rejected, String message);

    /** Encodes a {@code google.rpc.Status}. */
    abstract byte[] status(int code, String message);

    private static byte[] json(Map<String, ?> value) {
        return RawJson.write(value).toString().getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] encode(MessageWriter writer) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            CodedOutputStream out = CodedOutputStream.newInstance(bytes);
            writer.write(out);
            out.flush();
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @FunctionalInterface
    private interface MessageWriter {
        void write(CodedOutputStream out) throws IOException;
    }
}
