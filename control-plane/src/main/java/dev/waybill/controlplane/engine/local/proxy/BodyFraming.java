package dev.waybill.controlplane.engine.local.proxy;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

/** Determines where a message's body ends (RFC 9112). Bodies are forwarded unchanged. */
final class BodyFraming {

    private final @Nullable ChunkedDecoder decoder;
    private final boolean untilClose;
    private long remaining;

    private BodyFraming(@Nullable ChunkedDecoder decoder, long remaining, boolean untilClose) {
        this.decoder = decoder;
        this.remaining = remaining;
        this.untilClose = untilClose;
    }

    /** @throws RequestException if the end of the body cannot be determined */
    static BodyFraming ofRequest(HttpHead request) throws IOException {
        return isChunked(request) ? chunked() : fixedLength(request.value("content-length"), false);
    }

    static BodyFraming ofResponse(HttpHead request, HttpHead response) throws IOException {
        int status = response.status();
        if (request.method().equals("HEAD") || status == 204 || status == 304) {
            return new BodyFraming(null, 0, false);
        }
        return isChunked(response) ? chunked() : fixedLength(response.value("content-length"), true);
    }

    private static BodyFraming chunked() {
        return new BodyFraming(new ChunkedDecoder(), 0, false);
    }

    private static BodyFraming fixedLength(@Nullable String length, boolean untilCloseWithoutLength) throws IOException {
        if (length == null) {
            return new BodyFraming(null, 0, untilCloseWithoutLength);
        }
        if (!length.matches("[0-9]{1,15}")) {
            throw RequestException.malformed("Content-Length must be a number.");
        }
        return new BodyFraming(null, Long.parseLong(length), false);
    }

    private static boolean isChunked(HttpHead head) throws IOException {
        String coding = head.value("transfer-encoding");
        if (coding != null && !coding.equalsIgnoreCase("chunked")) {
            throw RequestException.malformed("Transfer-Encoding must be chunked, or absent.");
        }
        return coding != null;
    }

    boolean isComplete() {
        return decoder == null ? remaining == 0 && !untilClose : decoder.isComplete();
    }

    boolean endsWithConnection() {
        return untilClose;
    }

    /** @return the number of bytes that belong to the body */
    int consume(byte[] bytes, int offset, int length) throws IOException {
        if (decoder != null) {
            return decoder.consume(bytes, offset, offset + length) - offset;
        }
        int some = untilClose ? length : (int) Math.min(remaining, length);
        remaining -= untilClose ? 0 : some;
        return some;
    }
}
