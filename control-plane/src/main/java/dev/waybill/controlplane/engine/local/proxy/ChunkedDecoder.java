package dev.waybill.controlplane.engine.local.proxy;

import java.io.IOException;

/**
 * Finds the end of a chunked body, strictly by RFC 9112. Ambiguous input is rejected to prevent request smuggling, including
 * quoted chunk extensions, which parsers interpret differently.
 */
final class ChunkedDecoder {

    private enum State {
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
        DONE
    }

    private static final int MAX_DIGITS = 12;
    private static final int MAX_EXTENSION = 256;
    private static final int MAX_TRAILERS = 8 << 10;

    private State state = State.SIZE;
    private long remaining;
    private int digits;
    private int extension;
    private int trailers;

    boolean isComplete() {
        return state == State.DONE;
    }

    /** @return the position after the last byte of the body */
    int consume(byte[] bytes, int offset, int end) throws IOException {
        int at = offset;
        while (at < end && state != State.DONE) {
            if (state == State.CONTENT) {
                int some = (int) Math.min(remaining, end - at);
                remaining -= some;
                at += some;
                state = remaining == 0 ? State.CONTENT_CR : state;
            } else {
                state = next(bytes[at]);
                at++;
            }
        }
        return at;
    }

    private State next(byte next) throws IOException {
        return switch (state) {
            case SIZE -> size(next);
            case EXTENSION -> extension(next);
            case SIZE_END -> expect(next, '\n', remaining == 0 ? State.TRAILER : State.CONTENT);
            case CONTENT_CR -> expect(next, '\r', State.CONTENT_LF);
            case CONTENT_LF -> expect(next, '\n', begin());
            case TRAILER, TRAILER_NAME, TRAILER_VALUE -> trailer(next);
            case TRAILER_LF -> expect(next, '\n', State.TRAILER);
            case LAST_LF -> expect(next, '\n', State.DONE);
            case CONTENT, DONE -> throw new IllegalStateException(state.name());
        };
    }

    private State begin() {
        digits = 0;
        extension = 0;
        return State.SIZE;
    }

    private State size(byte next) throws IOException {
        int digit = next < 0 ? -1 : Character.digit(next, 16);
        if (digit >= 0 && digits < MAX_DIGITS) {
            digits++;
            remaining = remaining * 16 + digit;
            return State.SIZE;
        }
        if (digits > 0 && next == ';') {
            return State.EXTENSION;
        }
        if (digits > 0 && next == '\r') {
            return State.SIZE_END;
        }
        throw RequestException.malformed("A chunk of the body has no valid size; send hexadecimal digits and CR LF.");
    }

    private State extension(byte next) throws IOException {
        extension++;
        if (next == '\r') {
            return State.SIZE_END;
        }
        if (extension <= MAX_EXTENSION && (HttpHead.isToken((char) next) || next == '=' || next == ';')) {
            return State.EXTENSION;
        }
        throw RequestException.malformed("A chunk of the body has an unsupported extension; remove it.");
    }

    private State trailer(byte next) throws IOException {
        trailers++;
        boolean token = HttpHead.isToken((char) next);
        if (trailers <= MAX_TRAILERS) {
            if (next == '\r' && state != State.TRAILER_NAME) {
                return state == State.TRAILER ? State.LAST_LF : State.TRAILER_LF;
            }
            if (token && state != State.TRAILER_VALUE) {
                return State.TRAILER_NAME;
            }
            if (next == ':' && state == State.TRAILER_NAME) {
                return State.TRAILER_VALUE;
            }
            if (state == State.TRAILER_VALUE && ((next & 0xff) >= ' ' && next != 0x7f || next == '\t')) {
                return State.TRAILER_VALUE;
            }
        }
        throw RequestException.malformed("The trailers of the body are malformed; remove them.");
    }

    private static State expect(byte next, char expected, State then) throws IOException {
        if (next != expected) {
            throw RequestException.malformed("A chunk of the body does not end with CR LF after its declared size.");
        }
        return then;
    }
}
