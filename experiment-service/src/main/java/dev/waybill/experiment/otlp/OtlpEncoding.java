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

import dev.waybill.experiment.body.Bytes;

/** The two ways in which OTLP writes its messages; answers are in the request's. */
enum OtlpEncoding {
    PROTOBUF("application/x-protobuf") {
        @Override
        List<Span> read(Bytes body, SpanLimits count) {
            return ProtobufSpanReader.read(body, count);
        }

        @Override
        byte[] answer(int rejected, String message) {
            return rejected == 0 ? new byte[0]
                    : written(out -> out.writeBytes(1, ByteString.copyFrom(written(partial -> {
                        partial.writeInt64(1, rejected);
                        partial.writeString(2, message);
                    }))));
        }

        @Override
        byte[] status(int code, String message) {
            return written(out -> {
                out.writeInt32(1, code);
                out.writeString(2, message);
            });
        }
    },
    JSON("application/json") {
        @Override
        List<Span> read(Bytes body, SpanLimits count) {
            return JsonSpanReader.read(body, count);
        }

        @Override
        byte[] answer(int rejected, String message) {
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

    /** The one that a Content-Type names; protobuf unless it is JSON. */
    static OtlpEncoding of(String contentType) {
        return contentType.strip().toLowerCase(Locale.ROOT).startsWith(JSON.mediaType) ? JSON : PROTOBUF;
    }

    String mediaType() {
        return mediaType;
    }

    /** The spans of an {@code ExportTraceServiceRequest}. */
    abstract List<Span> read(Bytes body, SpanLimits count);

    /** An {@code ExportTraceServiceResponse}. */
    abstract byte[] answer(int rejected, String message);

    /** A {@code google.rpc.Status}. */
    abstract byte[] status(int code, String message);

    private static byte[] json(Map<String, ?> value) {
        return RawJson.write(value).toString().getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] written(Writing writing) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            CodedOutputStream out = CodedOutputStream.newInstance(bytes);
            writing.write(out);
            out.flush();
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @FunctionalInterface
    private interface Writing {
        void write(CodedOutputStream out) throws IOException;
    }
}
