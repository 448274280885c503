package dev.waybill.common.json;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.util.JsonParserDelegate;

/**
 * Stops parsing a document that has more objects, arrays and members than any valid body. Each node of a JSON tree takes some
 * hundred bytes, so a few requests that consist of brackets could exhaust the heap.
 */
final class NodeLimitParser extends JsonParserDelegate {

    static final int MAX_NODES = 100_000;

    private int nodes;

    NodeLimitParser(JsonParser parser) {
        super(parser);
    }

    @Override
    public @Nullable JsonToken nextToken() throws IOException {
        JsonToken token = super.nextToken();
        boolean isNode = token == JsonToken.FIELD_NAME || token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY;
        if (isNode && ++nodes > MAX_NODES) {
            throw new StreamConstraintsException("more than " + MAX_NODES + " objects, lists and members");
        }
        return token;
    }
}
