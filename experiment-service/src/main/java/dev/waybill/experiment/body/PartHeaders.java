package dev.waybill.experiment.body;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;

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
