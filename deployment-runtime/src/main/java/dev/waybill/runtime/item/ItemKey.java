package dev.waybill.runtime.item;

import java.util.List;

/** Namespace and key of an item. */
record ItemKey(List<String> namespace, String key) {

    static final int MAX_LENGTH = 255;
    static final String TOO_LONG = "must have at most 255 characters";
}
