package dev.waybill.export.verification;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.util.TokenBuffer;

import dev.waybill.export.execution.Manifest;

/**
 * Compares all members of a manifest with the export while it is read, and remembers the first difference. Formatting and the
 * order of members do not count.
 */
final class ManifestComparison {

    private static final String FILES = "files";
    private static final String TRUNCATED_ROWS = "truncated_rows";
    private static final String INVALID = "It is not a valid JSON object, or a member occurs twice.";
    /** More tokens than any member has, and any file in the list. */
    private static final int MAX_TOKENS = 10_000;
    private static final int MAX_QUOTED_LENGTH = 200;

    private final ExpectedExport export;
    private final ObjectMapper json;
    private final JsonNode expected;
    private final Map<String, Integer> indexes = new HashMap<>();
    private final BitSet listed = new BitSet();
    private final JsonParser parser;
    private final ByteArrayFeeder input;
    private final Map<String, JsonNode> members = new HashMap<>();
    private int files;
    private boolean isOrdered = true;
    private int depth;
    private boolean isStarted;
    private boolean isInFiles;
    private String member = "";
    private @Nullable TokenBuffer value;
    private int tokens;
    private boolean isInvalid;
    private @Nullable String difference;

    ManifestComparison(ExpectedExport export, ObjectMapper json) {
        this.export = export;
        this.json = json;
        try {
            this.expected = parse(Manifest.of(export.manifest()).withoutFiles());
            this.parser = JsonFactory.builder()
                    .configure(StreamReadFeature.STRICT_DUPLICATE_DETECTION, true)
                    .build()
                    .createNonBlockingByteArrayParser();
            this.input = (ByteArrayFeeder) parser.getNonBlockingInputFeeder();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (int i = 0; i < export.files().size(); i++) {
            indexes.put(export.files().get(i).path(), i);
        }
    }

    /** Processes the next bytes. */
    void add(byte[] content) {
        if (isInvalid) {
            return;
        }
        try {
            input.feedInput(content, 0, content.length);
            processTokens();
        } catch (IOException e) {
            invalidate(INVALID);
        }
    }

    /** Processes the end of the manifest and returns the first difference in one sentence; null if there is none. */
    @Nullable
    String finish() {
        if (!isInvalid) {
            try {
                input.endOfInput();
                processTokens();
                compareMembers();
            } catch (IOException e) {
                invalidate(INVALID);
            }
        }
        return difference;
    }

    /** Returns the number of rows that the manifest states; null if it states none. */
    @Nullable
    Long rows() {
        JsonNode rows = members.get("rows");
        return rows != null && rows.isIntegralNumber() && rows.canConvertToLong() ? rows.longValue() : null;
    }

    private void processTokens() throws IOException {
        JsonToken token = parser.nextToken();
        while (token != null && token != JsonToken.NOT_AVAILABLE && !isInvalid) {
            processToken(token);
            token = parser.nextToken();
        }
    }

    private void processToken(JsonToken token) throws IOException {
        if (token.isStructEnd()) {
            depth--;
        }
        if (value != null || isBeginOfValue(token)) {
            addToValue(token);
        } else {
            processStructure(token);
        }
        if (token.isStructStart()) {
            depth++;
        }
    }

    // Members of the manifest have depth 1, entries of its list of files depth 2.
    private boolean isBeginOfValue(JsonToken token) {
        boolean isValue = token.isStructStart() || token.isScalarValue();
        return isValue && (depth == 1 && !member.equals(FILES) || depth == 2 && isInFiles);
    }

    private void processStructure(JsonToken token) throws IOException {
        if (token == JsonToken.FIELD_NAME) {
            member = parser.currentName();
            if (!member.equals(FILES) && !expected.has(member)) {
                differ("It has an unknown member: " + quoted(member) + ".");
            }
        } else if (depth == 1) {
            isInFiles = token == JsonToken.START_ARRAY;
            // Otherwise the list has ended, or the member is not a list.
            if (!isInFiles && token != JsonToken.END_ARRAY) {
                invalidate("Its member " + FILES + " is not a list.");
            }
        } else if (token == JsonToken.START_OBJECT && !isStarted) {
            isStarted = true;
        } else if (token != JsonToken.END_OBJECT) {
            invalidate(INVALID);
        }
    }

    private void addToValue(JsonToken token) throws IOException {
        TokenBuffer current = value;
        if (current == null) {
            current = new TokenBuffer(json, false);
            value = current;
            tokens = 0;
        }
        current.copyCurrentEvent(parser);
        if (++tokens > MAX_TOKENS) {
            invalidate("Its member " + quoted(member) + " is too long.");
        } else if (depth == (isInFiles ? 2 : 1) && (token.isStructEnd() || token.isScalarValue())) {
            value = null;
            endValue(json.readTree(current.asParser()));
        }
    }

    private void endValue(JsonNode read) throws IOException {
        if (isInFiles) {
            compareFile(read);
        } else {
            members.put(member, read);
        }
    }

    private void compareFile(JsonNode read) throws IOException {
        String path = read.path("path").asText();
        Integer index = indexes.get(path);
        if (index == null) {
            differ("It lists a file that the export did not write: " + quoted(path) + ".");
            return;
        }
        if (!read.equals(parse(export.files().get(index))) || listed.get(index)) {
            differ("Its entry of a file differs: " + path + ".");
        }
        listed.set(index);
        isOrdered &= index == files;
        files++;
    }

    private void compareMembers() {
        int missing = listed.nextClearBit(0);
        if (missing < export.files().size()) {
            differ("It does not list a file of the export: " + export.files().get(missing).path() + ".");
        }
        expected.properties().stream()
                .filter(entry -> !entry.getKey().equals(FILES))
                .forEach(entry -> compareMember(entry.getKey(), entry.getValue()));
        if (!isOrdered) {
            differ("It lists the files in another order.");
        }
    }

    private void compareMember(String name, JsonNode content) {
        // Earlier releases did not write this member.
        boolean mayBeMissing = name.equals(TRUNCATED_ROWS) && content.longValue() == 0;
        JsonNode read = members.get(name);
        if (read == null ? !mayBeMissing : !read.equals(content)) {
            differ("Its member " + name + " is not " + quoted(content.isValueNode() ? content.asText() : content.toString())
                    + ".");
        }
    }

    // A file or a manifest as the tree that the parser of the object's bytes produces.
    private JsonNode parse(Object content) throws IOException {
        return json.readTree(json.writeValueAsBytes(content));
    }

    private void invalidate(String sentence) {
        isInvalid = true;
        differ(sentence);
    }

    private void differ(String sentence) {
        if (difference == null) {
            difference = sentence;
        }
    }

    private static String quoted(String text) {
        return text.length() <= MAX_QUOTED_LENGTH ? text : text.substring(0, MAX_QUOTED_LENGTH) + "...";
    }
}
