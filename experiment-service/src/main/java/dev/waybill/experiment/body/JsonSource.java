package dev.waybill.experiment.body;

import java.io.IOException;

import com.fasterxml.jackson.core.JsonParser;

/** Where a parser reads from: gives the bytes of JSON that is kept as it came. */
@FunctionalInterface
public interface JsonSource {

    /** For documents that are only looked through. */
    JsonSource NOTHING = (from, to) -> new Bytes(new byte[0], 0, 0);

    /** The bytes from {@code from} (included) to {@code to} (excluded), counted as the parser counts. */
    Bytes slice(long from, long to);

    /** For documents that are in memory. */
    static JsonSource of(Bytes document) {
        return (from, to) -> document.slice((int) from, (int) to);
    }

    /** Steps over the object or array the parser stands on; answers its bytes. */
    default Bytes take(JsonParser json) throws IOException {
        long from = json.currentTokenLocation().getByteOffset();
        json.skipChildren();
        return slice(from, json.currentLocation().getByteOffset());
    }
}
