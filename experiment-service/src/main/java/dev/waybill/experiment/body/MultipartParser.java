package dev.waybill.experiment.body;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.json.Bytes;

/**
 * Splits a {@code multipart/form-data} body (RFC 7578) into its parts without copying. Parts need no file name. A part's
 * {@code Content-Length}, or the parameter {@code length} of its content type, avoids the search for its end.
 */
public final class MultipartParser {

    private static final int MAX_PARTS = 20_000;
    private static final int MAX_HEADER_BYTES = 8 * 1024;

    private final byte[] bytes;
    private final int end;
    private final byte[] delimiter;
    private final int[] shifts = new int[256];
    private int position;

    private MultipartParser(Bytes body, String boundary) {
        this.bytes = body.array();
        this.position = body.offset();
        this.end = body.offset() + body.length();
        this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
        Arrays.fill(shifts, delimiter.length);
        for (int i = 0; i < delimiter.length - 1; i++) {
            shifts[delimiter[i] & 0xff] = delimiter.length - 1 - i;
        }
    }

    /**
     * Returns the parts in the order of the body.
     *
     * @throws ProblemException 415 if the body is not a multipart form, 400 if it is malformed
     */
    public static List<Part> parse(Body body) {
        String boundary = PartHeaders.boundary(body.contentType().orElse(""));
        return new MultipartParser(body.content(), boundary).parts();
    }

    private List<Part> parts() {
        skipPreamble();
        List<Part> parts = new ArrayList<>();
        while (!startsWith("--")) {
            if (!startsWith("\r\n")) {
                throw malformed("a boundary is followed by neither a line break nor --");
            }
            position += 2;
            if (parts.size() == MAX_PARTS) {
                throw new ProblemException(CommonProblem.TOO_LARGE,
                        "The body has more than " + MAX_PARTS + " parts; send fewer runs per request.");
            }
            parts.add(part());
        }
        return parts;
    }

    private Part part() {
        PartHeaders headers = PartHeaders.parse(headerText());
        int from = position;
        int to = headers.length().isPresent() && isDelimiterAt((long) from + headers.length().getAsInt())
                ? from + headers.length().getAsInt()
                : findDelimiter(from);
        position = to + delimiter.length;
        return new Part(headers.name(), headers.contentType(), new Bytes(bytes, from, to - from));
    }

    private String headerText() {
        int from = position;
        int limit = Math.min(end - 3, from + MAX_HEADER_BYTES);
        for (int i = from; i < limit; i++) {
            if (bytes[i] == '\r' && bytes[i + 1] == '\n' && bytes[i + 2] == '\r' && bytes[i + 3] == '\n') {
                position = i + 4;
                return new String(bytes, from, i - from, StandardCharsets.UTF_8);
            }
        }
        throw malformed("a part's headers do not end with an empty line");
    }

    // The first delimiter may be at the beginning of the body, without a preceding line break.
    private void skipPreamble() {
        if (matches(position, delimiter, 2)) {
            position += delimiter.length - 2;
        } else {
            position = findDelimiter(position) + delimiter.length;
        }
    }

    // Boyer-Moore-Horspool search: delimiters are long, so most bytes of a part are skipped.
    private int findDelimiter(int from) {
        int last = delimiter.length - 1;
        for (int i = from + last; i < end; i += shifts[bytes[i] & 0xff]) {
            if (bytes[i] == delimiter[last] && matches(i - last, delimiter, 0)) {
                return i - last;
            }
        }
        throw malformed("the closing boundary is missing");
    }

    private boolean isDelimiterAt(long position) {
        return position + delimiter.length <= end && matches((int) position, delimiter, 0);
    }

    private boolean matches(int position, byte[] expected, int fromInExpected) {
        int count = expected.length - fromInExpected;
        return position + count <= end
                && Arrays.equals(bytes, position, position + count, expected, fromInExpected, expected.length);
    }

    private boolean startsWith(String text) {
        return matches(position, text.getBytes(StandardCharsets.ISO_8859_1), 0);
    }

    static ProblemException malformed(String reason) {
        return new ProblemException(CommonProblem.MALFORMED_REQUEST, "The multipart body is malformed: " + reason + ".");
    }

    /**
     * One part of a multipart body.
     *
     * @param name the part's name in its Content-Disposition
     * @param contentType its Content-Type without parameters; null if it has none
     */
    public record Part(String name, @Nullable String contentType, Bytes content) {
    }

    /** The headers of one part that matter for splitting and reading the body. */
    record PartHeaders(String name, @Nullable String contentType, OptionalInt length) {

        private static final int MAX_BOUNDARY_LENGTH = 70;

        /** Returns the boundary in the body's Content-Type. */
        static String boundary(String contentType) {
            if (!contentType.strip().toLowerCase(Locale.ROOT).startsWith("multipart/form-data")) {
                throw new ProblemException(CommonProblem.UNSUPPORTED_MEDIA_TYPE,
                        "The Content-Type must be multipart/form-data; send JSON to /runs/batch.");
            }
            String boundary = parameter(contentType, "boundary")
                    .orElseThrow(() -> MultipartParser.malformed("its Content-Type has no boundary"));
            if (boundary.isEmpty() || boundary.length() > MAX_BOUNDARY_LENGTH) {
                throw MultipartParser.malformed("its boundary must have 1 to 70 characters");
            }
            return boundary;
        }

        static PartHeaders parse(String text) {
            String name = null;
            String contentType = null;
            Optional<String> length = Optional.empty();
            for (int from = 0; from < text.length();) {
                int lineEnd = text.indexOf("\r\n", from);
                String line = text.substring(from, lineEnd < 0 ? text.length() : lineEnd);
                from += line.length() + 2;
                int colon = line.indexOf(':');
                String header = colon < 0 ? "" : line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
                String value = line.substring(colon + 1).strip();
                switch (header) {
                    case "content-disposition" -> name = parameter(value, "name").orElse(null);
                    case "content-length" -> length = Optional.of(value);
                    case "content-type" -> {
                        int semicolon = value.indexOf(';');
                        contentType = semicolon < 0 ? value : value.substring(0, semicolon).strip();
                        length = length.or(() -> parameter(value, "length"));
                    }
                    default -> {
                        // Other headers are ignored.
                    }
                }
            }
            if (name == null) {
                throw MultipartParser.malformed("a part has no name");
            }
            return new PartHeaders(name, contentType, length.map(PartHeaders::number).orElse(OptionalInt.empty()));
        }

        // An invalid length is ignored; the parser then searches for the part's end.
        private static OptionalInt number(String text) {
            boolean digits = !text.isEmpty() && text.length() < 10 && text.chars().allMatch(c -> c >= '0' && c <= '9');
            return digits ? OptionalInt.of(Integer.parseInt(text)) : OptionalInt.empty();
        }

        private static Optional<String> parameter(String header, String name) {
            int position = header.indexOf(';');
            while (position >= 0) {
                int equals = header.indexOf('=', position);
                if (equals < 0) {
                    return Optional.empty();
                }
                boolean wanted = header.substring(position + 1, equals).strip().equalsIgnoreCase(name);
                StringBuilder value = new StringBuilder();
                position = value(header, equals + 1, value);
                if (wanted) {
                    return Optional.of(value.toString().strip());
                }
            }
            return Optional.empty();
        }

        // Reads a token or a quoted string; returns the position of the next semicolon, or -1.
        private static int value(String header, int from, StringBuilder target) {
            boolean quoted = false;
            for (int i = from; i < header.length(); i++) {
                char c = header.charAt(i);
                if (c == '"') {
                    quoted = !quoted;
                } else if (c == '\\' && quoted && i + 1 < header.length()) {
                    target.append(header.charAt(++i));
                } else if (c == ';' && !quoted) {
                    return i;
                } else {
                    target.append(c);
                }
            }
            return -1;
        }
    }
}
