package dev.waybill.controlplane.engine.local.gate;

import java.io.IOException;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/** Where a body ends: it is passed on as it comes, and only its end is looked for. */
final class Body {

    private enum Part {
        SIZE,
        SIZE_END,
        CONTENT,
        CONTENT_END,
        TRAILER,
        TRAILER_LINE,
        PLAIN,
        TO_THE_END,
        OVER
    }

    private static final long LARGEST_CHUNK = 1L << 40;

    private Part part;
    private long left;

    private Body(Part part, long left) {
        this.part = part;
        this.left = left;
    }

    static Body ofRequest(Head request) throws IOException {
        return isChunked(request) ? new Body(Part.SIZE, 0) : plain(request.value("content-length"), Part.OVER);
    }

    static Body ofResponse(Head request, Head response) throws IOException {
        int status = response.status();
        if (request.method().equals("HEAD") || status == 204 || status == 304) {
            return new Body(Part.OVER, 0);
        }
        return isChunked(response) ? new Body(Part.SIZE, 0) : plain(response.value("content-length"), Part.TO_THE_END);
    }

    private static Body plain(@Nullable String length, Part without) throws IOException {
        if (length == null) {
            return new Body(without, 0);
        }
        if (!length.matches("[0-9]{1,15}")) {
            throw new IOException("not a length");
        }
        long bytes = Long.parseLong(length);
        return new Body(bytes == 0 ? Part.OVER : Part.PLAIN, bytes);
    }

    private static boolean isChunked(Head head) throws IOException {
        String coding = head.value("transfer-encoding");
        if (coding != null && !coding.toLowerCase(Locale.ROOT).equals("chunked")) {
            throw new IOException("an unknown transfer encoding");
        }
        return coding != null;
    }

    boolean isOver() {
        return part == Part.OVER;
    }

    boolean endsWithConnection() {
        return part == Part.TO_THE_END;
    }

    /** @return how many of the bytes are the body's */
    int take(byte[] bytes, int offset, int length) throws IOException {
        int at = offset;
        int end = offset + length;
        while (at < end && part != Part.OVER) {
            if (part == Part.TO_THE_END) {
                at = end;
            } else if (part == Part.PLAIN || part == Part.CONTENT) {
                at = skip(at, end);
            } else {
                look(bytes[at]);
                at++;
            }
        }
        return at - offset;
    }

    private int skip(int at, int end) {
        int some = (int) Math.min(left, end - at);
        left -= some;
        if (left == 0) {
            part = part == Part.PLAIN ? Part.OVER : Part.CONTENT_END;
        }
        return at + some;
    }

    private void look(byte next) throws IOException {
        switch (part) {
            case SIZE -> size(next);
            case SIZE_END -> {
                if (next == '\n') {
                    part = left == 0 ? Part.TRAILER : Part.CONTENT;
                }
            }
            case CONTENT_END -> {
                if (next == '\n') {
                    part = Part.SIZE;
                }
            }
            case TRAILER -> {
                if (next == '\n') {
                    part = Part.OVER;
                } else if (next != '\r') {
                    part = Part.TRAILER_LINE;
                }
            }
            case TRAILER_LINE -> {
                if (next == '\n') {
                    part = Part.TRAILER;
                }
            }
            case CONTENT, PLAIN, TO_THE_END, OVER -> throw new IllegalStateException(part.name());
        }
    }

    private void size(byte next) throws IOException {
        int digit = Character.digit(next, 16);
        if (digit >= 0) {
            left = left * 16 + digit;
        } else {
            part = next == '\n' ? (left == 0 ? Part.TRAILER : Part.CONTENT) : Part.SIZE_END;
        }
        if (left > LARGEST_CHUNK) {
            throw new IOException("not a length");
        }
    }
}
