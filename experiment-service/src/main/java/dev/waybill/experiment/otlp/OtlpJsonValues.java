package dev.waybill.experiment.otlp;

import java.io.IOException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;

/** Reads values of OTLP's JSON at the parser's position; a value of another type is a 400 with the member's name. */
final class OtlpJsonValues {

    private static final HexFormat HEX = HexFormat.of();

    private final JsonParser json;

    OtlpJsonValues(JsonParser json) {
        this.json = json;
    }

    String text(String member) throws IOException {
        return switch (json.currentToken()) {
            case VALUE_STRING -> json.getText();
            case VALUE_NULL -> "";
            default -> throw malformed(member, "must be a string");
        };
    }

    byte[] id(String member) throws IOException {
        try {
            return HEX.parseHex(text(member));
        } catch (IllegalArgumentException e) {
            throw malformed(member, "must be hexadecimal digits");
        }
    }

    byte[] bytes(String member) throws IOException {
        try {
            return Base64.getDecoder().decode(text(member));
        } catch (IllegalArgumentException e) {
            throw malformed(member, "must be base64");
        }
    }

    long number(String member) throws IOException {
        try {
            return json.currentToken() == JsonToken.VALUE_NUMBER_INT ? json.getLongValue() : Long.parseLong(text(member));
        } catch (NumberFormatException e) {
            throw malformed(member, "must be a whole number of 64 bits");
        }
    }

    long nanos(String member) throws IOException {
        try {
            return json.currentToken() == JsonToken.VALUE_NUMBER_INT ? json.getLongValue()
                    : json.currentToken() == JsonToken.VALUE_NULL ? 0 : Long.parseUnsignedLong(text(member));
        } catch (NumberFormatException e) {
            throw malformed(member, "must be nanoseconds since 1970, as text or as a number");
        }
    }

    // Strings represent NaN and infinities.
    double decimal(String member) throws IOException {
        try {
            return json.currentToken().isNumeric() ? json.getDoubleValue()
                    : Double.parseDouble(text(member));
        } catch (NumberFormatException e) {
            throw malformed(member, "must be a number");
        }
    }

    int enumeration(String prefix, List<String> names) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            return json.getIntValue();
        }
        String name = json.currentToken() == JsonToken.VALUE_STRING ? json.getText() : "";
        return Math.max(0, name.startsWith(prefix) ? names.indexOf(name.substring(prefix.length())) : 0);
    }

    void forEach(String member, ElementReader element) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        if (json.currentToken() != JsonToken.START_ARRAY) {
            throw malformed(member, "must be an array");
        }
        while (json.nextToken() != JsonToken.END_ARRAY) {
            element.read();
        }
    }

    void object(String what, MemberReader member) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw malformed(what, "must be a JSON object");
        }
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            member.read(name);
        }
    }

    static ProblemException malformed(String member, String rule) {
        return new ProblemException(CommonProblem.MALFORMED_REQUEST,
                "The body is not an ExportTraceServiceRequest in OTLP's JSON: " + member + " " + rule + ".");
    }

    /** Reads an element of an array at the parser's position. */
    @FunctionalInterface
    interface ElementReader {
        void read() throws IOException;
    }

    /** Reads the value of a member at the parser's position. */
    @FunctionalInterface
    interface MemberReader {
        void read(String member) throws IOException;
    }
}
