package dev.waybill.experiment.body;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;

/**
 * Cuts a {@code multipart/form-data} body (RFC 7578) into its parts, without copying them. Parts need no file name. A part's
 * length, told as {@code Content-Length} or as the parameter {@code length} of its type, saves looking for its end.
 */
public final class MultipartParser {

    private static final int MOST_PARTS = 20_000;
    private static final int LONGEST_HEADERS = 8 * 1024;

    private final byte[] bytes;
    private final int end;
    private final byte[] delimiter;
    private final int[] shifts = new int[256];
    private int at;

    private MultipartParser(Bytes body, String boundary) {
        this.bytes = body.array();
        this.at = body.offset();
        this.end = body.offset() + body.length();
        this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
        Arrays.fill(shifts, delimiter.length);
        for (int i = 0; i < delimiter.length - 1; i++) {
            shifts[delimiter[i] & 0xff] = delimiter.length - 1 - i;
        }
    }

    /**
     * The parts in the order they came.
     *
     * @throws ProblemException 415 when the body is no multipart form, 400 when it is a broken one
     */
    public static List<Part> parse(Body body) {
        String boundary = PartHeaders.boundary(body.contentType().orElse(""));
        return new MultipartParser(body.content(), boundary).parts();
    }

    private List<Part> parts() {
        skipToFirst();
        List<Part> parts = new ArrayList<>();
        while (!startsWith("--")) {
            if (!startsWith("\r\n")) {
                throw malformed("a boundary is followed by neither a line break nor --");
            }
            at += 2;
            if (parts.size() == MOST_PARTS) {
                throw new ProblemException(CommonProblem.TOO_LARGE,
                        "The body has more than " + MOST_PARTS + " parts; send fewer runs in one batch.");
            }
            parts.add(part());
        }
        return parts;
    }

    private Part part() {
        PartHeaders headers = PartHeaders.parse(headerText());
        int from = at;
        int to = headers.length().isPresent() && isDelimiterAt((long) from + headers.length().getAsInt())
                ? from + headers.length().getAsInt()
                : next(from);
        at = to + delimiter.length;
        return new Part(headers.name(), headers.contentType(), new Bytes(bytes, from, to - from));
    }

    private String headerText() {
        int from = at;
        int limit = Math.min(end - 3, from + LONGEST_HEADERS);
        for (int i = from; i < limit; i++) {
            if (bytes[i] == '\r' && bytes[i + 1] == '\n' && bytes[i + 2] == '\r' && bytes[i + 3] == '\n') {
                at = i + 4;
                return new String(bytes, from, i - from, StandardCharsets.UTF_8);
            }
        }
        throw malformed("a part's headers do not end with an empty line");
    }

    // The first delimiter may stand at the very beginning, where no line break is before it.
    private void skipToFirst() {
        if (isAt(at, delimiter, 2)) {
            at += delimiter.length - 2;
        } else {
            at = next(at) + delimiter.length;
        }
    }

    // Horspool's search: delimiters are long, so most of a part is never looked at.
    private int next(int from) {
        int last = delimiter.length - 1;
        for (int i = from + last; i < end; i += shifts[bytes[i] & 0xff]) {
            if (bytes[i] == delimiter[last] && isAt(i - last, delimiter, 0)) {
                return i - last;
            }
        }
        throw malformed("the closing boundary is missing");
    }

    private boolean isDelimiterAt(long position) {
        return position + delimiter.length <= end && isAt((int) position, delimiter, 0);
    }

    private boolean isAt(int position, byte[] what, int fromInWhat) {
        int count = what.length - fromInWhat;
        return position + count <= end
                && Arrays.equals(bytes, position, position + count, what, fromInWhat, what.length);
    }

    private boolean startsWith(String text) {
        return isAt(at, text.getBytes(StandardCharsets.ISO_8859_1), 0);
    }

    static ProblemException malformed(String what) {
        return new ProblemException(CommonProblem.MALFORMED_REQUEST, "The multipart body is broken: " + what + ".");
    }
}
