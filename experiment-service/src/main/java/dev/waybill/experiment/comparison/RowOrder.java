package dev.waybill.experiment.comparison;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;

/** A window of the ordered ids of the selected rows, 16 bytes each. */
final class RowOrder {

    /** Distance of the first ids of two windows: 1.6 MB. */
    static final int WINDOW = 100_000;
    private static final int ID_BYTES = 16;

    private final long total;
    private final int first;
    private final byte[] ids;

    /**
     * @param total number of all rows
     * @param first position of the window's first id among them
     */
    RowOrder(long total, int first, byte[] ids) {
        this.total = total;
        this.first = first;
        this.ids = ids;
    }

    /** Returns the position of the first id of the window that contains a page. */
    static int windowOf(PageParameters page) {
        return page.offset() / WINDOW * WINDOW;
    }

    /** Returns the ids of a page that begins in this window. */
    Page<UUID> page(PageParameters page) {
        int from = Math.min(page.offset() - first, ids.length / ID_BYTES);
        int to = Math.min(from + page.limit(), ids.length / ID_BYTES);
        List<UUID> found = new ArrayList<>();
        ByteBuffer window = ByteBuffer.wrap(ids, from * ID_BYTES, (to - from) * ID_BYTES);
        while (window.hasRemaining()) {
            found.add(new UUID(window.getLong(), window.getLong()));
        }
        return new Page<>(found, total);
    }

    int bytes() {
        return ids.length;
    }
}
