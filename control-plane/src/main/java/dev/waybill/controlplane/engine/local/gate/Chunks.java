package dev.waybill.controlplane.engine.local.gate;

import java.io.IOException;

/**
 * Finds the end of a chunked body, by the letter of RFC 9112: what another reader could read differently is refused. So are
 * quoted chunk extensions, which readers have disagreed on.
 */
final class Chunks {

    private enum Part {
        SIZE,
        EXTENSION,
        SIZE_END,
        CONTENT,
        CONTENT_CR,
        CONTENT_LF,
        TRAILER,
        TRAILER_NAME,
        TRAILER_VALUE,
        TRAILER_LF,
        LAST_LF,
        OVER
    }

    private static final int MAX_DIGITS = 12;
    private static final int MAX_EXTENSION = 256;
    private static final int MAX_TRAILERS = 8 << 10;

    private Part part = Part.SIZE;
    private long left;
    private int digits;
    private int extension;
    private int trailers;

    boolean isOver() {
        return part == Part.OVER;
    }

    /** @return the position behind what belongs to the body */
    int take(byte[] bytes, int offset, int end) throws IOException {
        int at = offset;
        while (at < end && part != Part.OVER) {
            if (part == Part.CONTENT) {
                int some = (int) Math.min(left, end - at);
                left -= some;
                at += some;
                part = left == 0 ? Part.CONTENT_CR : part;
            } else {
                part = next(bytes[at]);
                at++;
            }
        }
        return at;
    }

    private Part next(byte next) throws IOException {
        return switch (part) {
            case SIZE -> size(next);
            case EXTENSION -> extension(next);
            case SIZE_END -> expect(next, '\n', left == 0 ? Part.TRAILER : Part.CONTENT);
            case CONTENT_CR -> expect(next, '\r', Part.CONTENT_LF);
            case CONTENT_LF -> expect(next, '\n', begin());
            case TRAILER, TRAILER_NAME, TRAILER_VALUE -> trailer(next);
            case TRAILER_LF -> expect(next, '\n', Part.TRAILER);
            case LAST_LF -> expect(next, '\n', Part.OVER);
            case CONTENT, OVER -> throw new IllegalStateException(part.name());
        };
    }

    private Part begin() {
        digits = 0;
        extension = 0;
        return Part.SIZE;
    }

    private Part size(byte next) throws IOException {
        int digit = next < 0 ? -1 : Character.digit(next, 16);
        if (digit >= 0 && digits < MAX_DIGITS) {
            digits++;
            left = left * 16 + digit;
            return Part.SIZE;
        }
        if (digits > 0 && next == ';') {
            return Part.EXTENSION;
        }
        if (digits > 0 && next == '\r') {
            return Part.SIZE_END;
        }
        throw RequestException.malformed("A chunk of the body has no valid size; send hexadecimal digits and CR LF.");
    }

    private Part extension(byte next) throws IOException {
        extension++;
        if (next == '\r') {
            return Part.SIZE_END;
        }
        if (extension <= MAX_EXTENSION && (Head.isToken((char) next) || next == '=' || next == ';')) {
            return Part.EXTENSION;
        }
        throw RequestException.malformed("A chunk of the body has an extension that is not plain; leave it out.");
    }

    private Part trailer(byte next) throws IOException {
        trailers++;
        boolean token = Head.isToken((char) next);
        if (trailers <= MAX_TRAILERS) {
            if (next == '\r' && part != Part.TRAILER_NAME) {
                return part == Part.TRAILER ? Part.LAST_LF : Part.TRAILER_LF;
            }
            if (token && part != Part.TRAILER_VALUE) {
                return Part.TRAILER_NAME;
            }
            if (next == ':' && part == Part.TRAILER_NAME) {
                return Part.TRAILER_VALUE;
            }
            if (part == Part.TRAILER_VALUE && ((next & 0xff) >= ' ' && next != 0x7f || next == '\t')) {
                return Part.TRAILER_VALUE;
            }
        }
        throw RequestException.malformed("The trailers of the body are malformed; leave them out.");
    }

    private static Part expect(byte next, char wanted, Part then) throws IOException {
        if (next != wanted) {
            throw RequestException.malformed("A chunk of the body does not end with CR LF where its size says.");
        }
        return then;
    }
}
