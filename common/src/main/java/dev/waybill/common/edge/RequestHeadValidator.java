package dev.waybill.common.edge;

import org.jspecify.annotations.Nullable;

import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;

/** Validates the bytes of a request head beyond Netty's checks (RFC 9112, sections 2.2, 3 and 5.2). */
final class RequestHeadValidator {

    private static final byte LF = '\n';
    private static final byte CR = '\r';
    private static final byte SPACE = ' ';
    private static final byte TAB = '\t';
    private static final byte COLON = ':';
    private static final byte DELETE = 0x7f;
    private static final int SPACES_IN_REQUEST_LINE = 2;
    /** Bytes above ASCII are negative and allowed in values. */
    private static final ByteProcessor FIND_CONTROL = value -> value < 0 || value >= SPACE && value != DELETE || value == TAB
            || value == CR;

    private RequestHeadValidator() {
    }

    /**
     * Returns the first error in the part of a head that is in the buffer, or null. Does not consume the buffer.
     *
     * @param atRequestLine whether the buffer begins with the request line rather than a header
     */
    static @Nullable String fault(ByteBuf buffer, boolean atRequestLine) {
        int end = buffer.writerIndex();
        int at = buffer.readerIndex();
        boolean isRequestLine = atRequestLine;
        // RFC 9112 allows empty lines before a request.
        while (isRequestLine && at < end && (buffer.getByte(at) == CR || buffer.getByte(at) == LF)) {
            at++;
        }
        while (at < end) {
            int lineFeed = buffer.indexOf(at, end, LF);
            String fault = lineFault(buffer, at, lineFeed < 0 ? end : lineFeed, isRequestLine, lineFeed >= 0);
            if (fault != null) {
                return fault;
            }
            if (lineFeed < 0 || lineFeed == at || lineFeed == at + 1 && buffer.getByte(at) == CR) {
                return null;
            }
            at = lineFeed + 1;
            isRequestLine = false;
        }
        return null;
    }

    private static @Nullable String lineFault(ByteBuf buffer, int start, int end, boolean isRequestLine, boolean isComplete) {
        int length = end - start;
        if (length == 0) {
            return null;
        }
        byte first = buffer.getByte(start);
        if (first == SPACE || first == TAB) {
            return isRequestLine ? "The request line must begin with the method."
                    : "A header line must not begin with a space: folded header values are not accepted.";
        }
        if (!isRequestLine && first == COLON) {
            return "A header must have a name.";
        }
        int carriageReturn = buffer.indexOf(start, end, CR);
        if (carriageReturn >= 0 && carriageReturn < end - 1 || buffer.forEachByte(start, length, FIND_CONTROL) >= 0) {
            return "The request head must not contain control characters.";
        }
        if (isRequestLine && isComplete && spaces(buffer, start, end) != SPACES_IN_REQUEST_LINE) {
            return "The request line must be a method, a URI and a version, separated by single spaces.";
        }
        return null;
    }

    private static int spaces(ByteBuf buffer, int start, int end) {
        int spaces = 0;
        for (int at = buffer.indexOf(start, end, SPACE); at >= 0; at = buffer.indexOf(at + 1, end, SPACE)) {
            spaces++;
        }
        return spaces;
    }
}
