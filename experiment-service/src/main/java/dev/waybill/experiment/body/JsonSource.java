package dev.waybill.experiment.body;

import java.io.IOException;

import com.fasterxml.jackson.core.JsonParser;

/** Returns the raw bytes of parts of a JSON document that is stored unchanged. */
@FunctionalInterface
public interface JsonSource {

    /** For documents that are validated without reading their content. */
    JsonSource NOTHING = (from, to) -> new Bytes(new byte[0], 0, 0);

    /** Returns the bytes from {@code from} (inclusive) to {@code to} (exclusive), as byte offsets of the parser. */
    Bytes slice(long from, long to);

    /** Creates a source for a document in memory. */
    static JsonSource of(Bytes document) {
        return (from, to) -> document.slice((int) from, (int) to);
    }

    /** Skips the object or array at the parser's position and returns its bytes. */
    default Bytes readRaw(JsonParser json) throws IOException {
        long from = json.currentTokenLocation().getByteOffset();
        json.skipChildren();
        return slice(from, json.currentLocation().getByteOffset());
    }
}
