package dev.waybill.common.negotiation;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import jakarta.ws.rs.core.MediaType;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.negotiation.MediaRange.MediaRangeParser;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;

/** Checks {@code Content-Type} and {@code Content-Encoding}; each failure is a 415 with advice. */
final class ContentTypeHeader {

    private ContentTypeHeader() {
    }

    /** Requires that the header, if present, is one of the media types that the operation reads. */
    static void require(@Nullable List<String> values, List<MediaType> read) {
        String header = values == null ? "" : String.join(", ", values);
        if (header.isBlank()) {
            return;
        }
        List<MediaRange> types;
        try {
            types = MediaRangeParser.parse(header);
        } catch (IllegalArgumentException e) {
            throw unsupported("The header Content-Type is " + e.getMessage() + "; send " + names(read) + ".");
        }
        if (types.size() != 1) {
            throw unsupported("The header Content-Type names " + types.size() + " media types; send exactly one, "
                    + names(read) + ".");
        }
        MediaRange type = types.getFirst();
        boolean known = !type.isWildcard()
                && read.stream().anyMatch(one -> type.specificity(one.getType(), one.getSubtype()) == 2);
        if (!known) {
            throw unsupported("This operation does not read " + type + "; send " + names(read) + ".");
        }
    }

    /** Requires a body without content encoding. */
    static void requireNoEncoding(@Nullable List<String> values) {
        boolean plain = values == null || values.stream()
                .allMatch(value -> value.isBlank() || value.strip().toLowerCase(Locale.ROOT).equals("identity"));
        if (!plain) {
            throw unsupported("This operation does not support compressed bodies; send the body without Content-Encoding.");
        }
    }

    private static String names(List<MediaType> types) {
        return types.stream().map(type -> type.getType() + "/" + type.getSubtype()).collect(Collectors.joining(" or "));
    }

    private static ProblemException unsupported(String detail) {
        return new ProblemException(CommonProblem.UNSUPPORTED_MEDIA_TYPE, detail);
    }
}
