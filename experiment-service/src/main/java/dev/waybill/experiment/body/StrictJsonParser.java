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
 * Refuses an object that names a member twice, and numbers that are too long also where nobody asks for their value. Jackson's
 * own check of names remembers any number of them; this one is bounded, since the names are the sender's.
 */
final class StrictJsonParser extends JsonParserDelegate {

    private static final int LONGEST_NUMBER = 1000;
    private static final int OVERHEAD_OF_A_NAME = 100;
    private static final long MOST_BYTES = 32 << 20;

    // One set for each depth, emptied and used again.
    private final List<Set<String>> names = new ArrayList<>();
    private int depth = -1;
    private long held;

    StrictJsonParser(JsonParser parser) {
        super(parser);
    }

    @Override
    public @Nullable JsonToken nextToken() throws IOException {
        JsonToken token = delegate.nextToken();
        if (token == JsonToken.FIELD_NAME) {
            take(delegate.currentName());
        } else if (token == JsonToken.START_OBJECT) {
            begin();
        } else if (token == JsonToken.END_OBJECT) {
            end();
        } else if (token != null && token.isNumeric() && delegate.getTextLength() > LONGEST_NUMBER) {
            throw new StreamConstraintsException("too long a number");
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
                // The delegate has thrown before for a document that ends too early.
                return this;
            }
            open += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        }
        return this;
    }

    private void begin() {
        depth++;
        if (depth == names.size()) {
            names.add(new HashSet<>());
        }
    }

    private void end() {
        Set<String> done = names.get(depth);
        done.forEach(name -> held -= weight(name));
        // Clearing costs what the set once held: a large one is not kept for its small successors.
        if (done.size() > 1000) {
            names.set(depth, new HashSet<>());
        } else {
            done.clear();
        }
        depth--;
    }

    private void take(String name) throws IOException {
        if (!names.get(depth).add(name)) {
            throw new JsonParseException(delegate, "the member " + name + " is given twice");
        }
        held += weight(name);
        if (held > MOST_BYTES) {
            throw new StreamConstraintsException("too many members");
        }
    }

    private static long weight(String name) {
        return OVERHEAD_OF_A_NAME + (long) name.length();
    }
}
