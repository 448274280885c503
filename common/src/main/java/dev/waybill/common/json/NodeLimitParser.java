package dev.waybill.common.json;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.util.JsonParserDelegate;

/**
 * Ends the reading of a document that has more objects, lists and members than a body has. Read into a tree, each takes some
 * hundred bytes, however short it is written: a few requests of nothing but brackets would take all of a service's memory.
 */
final class NodeLimitParser extends JsonParserDelegate {

    static final int MOST = 100_000;

    private int parts;

    NodeLimitParser(JsonParser parser) {
        super(parser);
    }

    @Override
    public @Nullable JsonToken nextToken() throws IOException {
        JsonToken token = super.nextToken();
        boolean part = token == JsonToken.FIELD_NAME || token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY;
        if (part && ++parts > MOST) {
            throw new StreamConstraintsException("more than " + MOST + " objects, lists and members");
        }
        return token;
    }
}
