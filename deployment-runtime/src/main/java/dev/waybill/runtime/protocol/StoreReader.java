package dev.waybill.runtime.protocol;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.protocol.StoreOperation.Match;

/** Reads one operation on the store. */
final class StoreReader {

    private static final int MAX_OPERATIONS = 1_000;
    private static final int MAX_VALUE = 1 << 20;
    private static final int MAX_LABELS = 32;
    private static final int MAX_LABEL = 255;
    private static final int MAX_CONDITIONS = 32;
    private static final int MAX_FILTER = 64 << 10;
    private static final int MAX_LIMIT = 1_000;
    private static final int DEFAULT_LIMIT = 10;

    private final ParamsParser params;
    private @Nullable String kind;
    private @Nullable List<String> labels;
    private @Nullable String key;
    private byte @Nullable [] json;
    private @Nullable Double ttl;
    private boolean refreshTtl = true;
    private @Nullable Integer limit;
    private int offset;
    private @Nullable Integer maxDepth;
    private final List<Match> conditions = new ArrayList<>();

    private StoreReader(ParamsParser params) {
        this.params = params;
    }

    /** Reads the params of {@code store/batch}. */
    static RequestParams batch(ParamsParser params) throws IOException {
        List<StoreOperation> operations = new ArrayList<>();
        params.members("params", name -> {
            boolean known = name.equals("operations");
            if (known) {
                params.elements(name, MAX_OPERATIONS, () -> operations.add(new StoreReader(params).operation()));
            }
            return known;
        });
        return new RequestParams.StoreBatch(operations);
    }

    private StoreOperation operation() throws IOException {
        params.members("operations", this::member);
        return switch (ParamsParser.required(kind, "op")) {
            case "get" -> new StoreOperation.Get(namespace(), ParamsParser.required(key, "key"), refreshTtl);
            case "put" -> new StoreOperation.Put(namespace(), ParamsParser.required(key, "key"), json, ttl);
            case "search" -> new StoreOperation.Search(labels == null ? List.of() : labels, json,
                    limit == null ? DEFAULT_LIMIT : limit, offset, refreshTtl);
            case "namespaces" -> new StoreOperation.Namespaces(conditions, maxDepth, limit == null ? MAX_LIMIT / 10 : limit,
                    offset);
            default -> throw ParamsParser.invalid("op", "get, put, search or namespaces");
        };
    }

    private List<String> namespace() {
        List<String> namespace = ParamsParser.required(labels, "ns");
        if (namespace.isEmpty()) {
            throw ParamsParser.invalid("ns", "an array with at least one label");
        }
        return namespace;
    }

    private boolean member(String name) throws IOException {
        switch (name) {
            case "op" -> kind = params.text(name, MAX_LABEL);
            case "ns", "prefix" -> labels = labels(name);
            case "key" -> key = params.text(name, MAX_LABEL);
            case "value" -> json = params.isNull() ? null : params.object(name, MAX_VALUE);
            case "filter" -> json = params.isNull() ? null : params.object(name, MAX_FILTER);
            case "ttl" -> ttl = params.isNull() ? null : params.number(name);
            case "refresh_ttl" -> refreshTtl = params.isNull() || params.bool(name);
            case "limit" -> limit = params.isNull() ? null : (int) params.integer(name, 1, MAX_LIMIT);
            case "offset" -> offset = params.isNull() ? 0 : (int) params.integer(name, 0, Integer.MAX_VALUE);
            case "max_depth" -> maxDepth = params.isNull() ? null : (int) params.integer(name, 1, MAX_LABELS);
            case "match" -> params.elements(name, MAX_CONDITIONS, this::condition);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void condition() throws IOException {
        String[] type = new String[1];
        List<String> path = new ArrayList<>();
        params.members("match", name -> {
            switch (name) {
                case "type" -> type[0] = params.text(name, MAX_LABEL);
                case "path" -> path.addAll(labels(name));
                default -> {
                    return false;
                }
            }
            return true;
        });
        boolean suffix = "suffix".equals(type[0]);
        if (!suffix && !"prefix".equals(type[0])) {
            throw ParamsParser.invalid("type", "prefix or suffix");
        }
        conditions.add(new Match(suffix, path));
    }

    private List<String> labels(String what) throws IOException {
        List<String> read = new ArrayList<>();
        params.elements(what, MAX_LABELS, () -> {
            String label = params.text(what, MAX_LABEL);
            if (label.isEmpty()) {
                throw ParamsParser.invalid(what, "an array of strings that are not empty");
            }
            read.add(label);
        });
        return read;
    }
}
