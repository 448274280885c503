package dev.waybill.controlplane.revision.log;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.page.Page;

/** Where reading a log begins, and how many lines it takes. */
record LogStart(int limit, int offset) {

    static final int MOST = 1_000;
    private static final int USUAL = 100;

    static LogStart parse(@Nullable String limit, @Nullable String offset) {
        Page page = Page.parse(limit, offset, USUAL, MOST);
        return new LogStart(page.limit(), page.offset());
    }
}
