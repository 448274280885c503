package dev.waybill.runtime.protocol;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

/** Reads requests for parts of large values. */
final class PartReader {

    private static final int MAX_PARTS = 1 << 20;
    private static final int MAX_REFERENCE = 512;

    private final ParamsParser params;
    private @Nullable Long message;
    private @Nullable Long total;
    private @Nullable Long part;
    private @Nullable Long size;
    private byte @Nullable [] bytes;
    private @Nullable String reference;
    private long offset;

    PartReader(ParamsParser params) {
        this.params = params;
    }

    /** Reads the params of {@code blob/part}. */
    RequestParams blobPart() throws IOException {
        params.members("params", this::member);
        return new RequestParams.BlobPart(ParamsParser.required(message, "message"), integer(total, "total"),
                integer(part, "part"), integer(size, "size"), ParamsParser.required(bytes, "value"));
    }

    /** Reads the params of {@code result/part}. */
    RequestParams resultPart() throws IOException {
        params.members("params", this::member);
        return new RequestParams.ResultPart(ParamsParser.required(message, "request"), integer(total, "total"),
                integer(part, "part"), ParamsParser.required(bytes, "text"));
    }

    /** Reads the params of {@code blob/read}. */
    RequestParams read() throws IOException {
        params.members("params", this::member);
        return new RequestParams.BlobRead(ParamsParser.required(reference, "ref"), (int) offset);
    }

    private boolean member(String name) throws IOException {
        switch (name) {
            case "message", "request" -> message = params.integer(name, 0, Long.MAX_VALUE);
            case "total" -> total = params.integer(name, 1, Integer.MAX_VALUE);
            case "part" -> part = params.integer(name, 0, MAX_PARTS);
            case "size" -> size = params.integer(name, 1, Integer.MAX_VALUE);
            case "text" -> bytes = params.isText() ? params.utf8() : null;
            case "value" -> {
                if (params.isText()) {
                    bytes = params.utf8();
                } else {
                    params.members(name, this::encoded);
                }
            }
            case "ref" -> reference = params.text(name, MAX_REFERENCE);
            case "offset" -> offset = params.integer(name, 0, Integer.MAX_VALUE);
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean encoded(String name) throws IOException {
        boolean known = name.equals("base64");
        if (known) {
            bytes = params.base64("value.base64");
        }
        return known;
    }

    private static int integer(@Nullable Long value, String name) {
        return Math.toIntExact(ParamsParser.required(value, name));
    }
}
