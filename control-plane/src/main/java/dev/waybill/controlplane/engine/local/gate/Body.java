package dev.waybill.controlplane.engine.local.gate;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

/** Where a body ends: it is passed on as it comes, and only its end is looked for. */
final class Body {

    private final @Nullable Chunks chunks;
    private final boolean toTheEnd;
    private long left;

    private Body(@Nullable Chunks chunks, long left, boolean toTheEnd) {
        this.chunks = chunks;
        this.left = left;
        this.toTheEnd = toTheEnd;
    }

    /** @throws RequestException when nobody can tell where it ends */
    static Body ofRequest(Head request) throws IOException {
        return isChunked(request) ? chunked() : plain(request.value("content-length"), false);
    }

    static Body ofResponse(Head request, Head response) throws IOException {
        int status = response.status();
        if (request.method().equals("HEAD") || status == 204 || status == 304) {
            return new Body(null, 0, false);
        }
        return isChunked(response) ? chunked() : plain(response.value("content-length"), true);
    }

    private static Body chunked() {
        return new Body(new Chunks(), 0, false);
    }

    private static Body plain(@Nullable String length, boolean toTheEndWithout) throws IOException {
        if (length == null) {
            return new Body(null, 0, toTheEndWithout);
        }
        if (!length.matches("[0-9]{1,15}")) {
            throw RequestException.malformed("Content-Length must be a number.");
        }
        return new Body(null, Long.parseLong(length), false);
    }

    private static boolean isChunked(Head head) throws IOException {
        String coding = head.value("transfer-encoding");
        if (coding != null && !coding.equalsIgnoreCase("chunked")) {
            throw RequestException.malformed("Transfer-Encoding must be chunked, or absent.");
        }
        return coding != null;
    }

    boolean isOver() {
        return chunks == null ? left == 0 && !toTheEnd : chunks.isOver();
    }

    boolean endsWithConnection() {
        return toTheEnd;
    }

    /** @return how many of the bytes are the body's */
    int take(byte[] bytes, int offset, int length) throws IOException {
        if (chunks != null) {
            return chunks.take(bytes, offset, offset + length) - offset;
        }
        int some = toTheEnd ? length : (int) Math.min(left, length);
        left -= toTheEnd ? 0 : some;
        return some;
    }
}
