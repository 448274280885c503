package dev.waybill.experiment.body;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.util.JsonParserDelegate;

/**
 * Rejects duplicate member names and overlong numbers, also in skipped values. Jackson's own duplicate detection stores an
 * unlimited number of names; this one is limited, because names come from clients.
 */
final class StrictJsonParser extends JsonParserDelegate {

    private static final int MAX_NUMBER_LENGTH = 1000;
    private static final int NAME_OVERHEAD = 100;
    private static final long MAX_NAME_BYTES = 32 << 20;

    // One set per nesting depth, reused.
    private final List<Set<String>> names = new ArrayList<>();
    private int depth = -1;
    private long nameBytes;

    StrictJsonParser(JsonParser parser) {
        super(parser);
    }

    @Override
    public @Nullable JsonToken nextToken() throws IOException {
        JsonToken token = delegate.nextToken();
        if (token == JsonToken.FIELD_NAME) {
            addName(delegate.currentName());
        } else if (token == JsonToken.START_OBJECT) {
            startObject();
        } else if (token == JsonToken.END_OBJECT) {
            endObject();
        } else if (token != null && token.isNumeric() && delegate.getTextLength() > MAX_NUMBER_LENGTH) {
            throw new StreamConstraintsException("a number is too long");
        }
        return token;
    }

    @Override
    public JsonParser skipChildren() throws IOException {
        if (!delegate.currentToken().isStructStart()) {
            return this;
        }
        for (int open = 1; open > 0;) {
            JsonToken token = nextToken();
            if (token == null) {
                // Unreachable: the delegate throws at the end of an incomplete document.
                return this;
            }
            open += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        }
        return this;
    }

    private void startObject() {
        depth++;
        if (depth == names.size()) {
            names.add(new HashSet<>());
        }
    }

    private void endObject() {
        Set<String> finished = names.get(depth);
        finished.forEach(name -> nameBytes -= sizeOf(name));
        // Clearing takes time proportional to the capacity, so a large set is replaced.
        if (finished.size() > 1000) {
            names.set(depth, new HashSet<>());
        } else {
            finished.clear();
        }
        depth--;
    }

    private void addName(String name) throws IOException {
        if (!names.get(depth).add(name)) {
            throw new JsonParseException(delegate, "the member " + name + " is duplicated");
        }
        nameBytes += sizeOf(name);
        if (nameBytes > MAX_NAME_BYTES) {
            throw new StreamConstraintsException("too many members");
        }
    }

    private static long sizeOf(String name) {
        return NAME_OVERHEAD + (long) name.length();
    }
}
