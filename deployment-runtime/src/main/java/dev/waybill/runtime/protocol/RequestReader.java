package dev.waybill.runtime.protocol;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonFactory;

import dev.waybill.runtime.protocol.CheckpointTuple.ChannelBlob;
import dev.waybill.runtime.protocol.RequestException.Code;
import dev.waybill.runtime.protocol.RequestParams.ChannelWrite;
import dev.waybill.runtime.protocol.RequestParams.CheckpointWrite;

/** Validates requests of workers and converts them to records. Values are decoded without a JSON tree. */
public final class RequestReader {

    private static final int MAX_ELEMENTS = 10_000;
    private static final int MAX_METADATA = 64 << 10;
    private static final int MAX_NAMESPACE = 1024;
    private static final int MAX_CHANNEL = 255;
    private static final int MAX_VERSION = 64;
    private static final int MAX_TASK = 64;
    private static final int MAX_PATH = 4096;
    private static final int MAX_METHOD = 64;
    private static final String PUT = "checkpoint/put";
    private static final String PUT_WRITES = "checkpoint/putWrites";
    private static final int MAX_PAGE = 1_000;

    private final JsonFactory factory;

    /** Provides values that the worker sent in parts. */
    public interface Parts {

        /** Returns the value with the number in its message; throws if it is missing, incomplete or of another size. */
        byte[] take(int part, int size);
    }

    /** @param maxLineSize maximum length of a line of the worker */
    public RequestReader(int maxLineSize) {
        this.factory = MessageReader.jsonFactory(maxLineSize);
    }

    /**
     * Converts a request.
     *
     * @throws RequestException if the method is unknown, or a member is missing, invalid or too large
     */
    public RequestParams read(Message.Call request, Parts parts) {
        try (ParamsParser params = new ParamsParser(factory, request.params())) {
            return switch (request.method()) {
                case PUT, PUT_WRITES ->
                    new Checkpoints(params, new MessageValues(params, parts)).write("params", request.method());
                case "checkpoint/batch", Message.Call.LAST -> batch(params, parts);
                case "checkpoint/get" -> new Checkpoints(params, new MessageValues(params, parts)).get();
                case "checkpoint/list" -> new Checkpoints(params, new MessageValues(params, parts)).list();
                case "checkpoint/delete" -> new RequestParams.CheckpointsDelete();
                case "blob/part" -> new PartReader(params).blobPart();
                case "result/part" -> new PartReader(params).resultPart();
                case "blob/read" -> new PartReader(params).read();
                case "store/batch" -> StoreReader.batch(params);
                default -> throw new RequestException(Code.UNKNOWN_METHOD, "The method is unknown.");
            };
        } catch (IOException e) {
            // The line was parsed before, so that only limits of the parser are left.
            throw new RequestException(Code.INVALID_PARAMS, "The params cannot be read.");
        }
    }

    private static RequestParams batch(ParamsParser params, Parts parts) throws IOException {
        List<CheckpointWrite> operations = new ArrayList<>();
        MessageValues values = new MessageValues(params, parts);
        params.members("params", name -> {
            boolean known = name.equals("operations");
            if (known) {
                params.elements(name, MAX_ELEMENTS, () -> operations.add(new Checkpoints(params, values).write(name, null)));
            }
            return known;
        });
        return new RequestParams.CheckpointBatch(operations);
    }

    /** Reads requests for checkpoints. */
    private static final class Checkpoints {

        private final ParamsParser params;
        private final MessageValues values;
        private final List<ChannelBlob> blobs = new ArrayList<>();
        private final List<ChannelWrite> writes = new ArrayList<>();
        private final Map<String, String> versions = new HashMap<>();
        private @Nullable String namespace;
        private @Nullable UUID id;
        private @Nullable UUID other;
        private @Nullable SerializedValue checkpoint;
        private byte @Nullable [] metadata;
        private @Nullable String task;
        private String path = "";
        private @Nullable String method;

        Checkpoints(ParamsParser params, MessageValues values) {
            this.params = params;
            this.values = values;
        }

        /** @param known the method; null if it is a member */
        CheckpointWrite write(String what, @Nullable String known) throws IOException {
            params.members(what, name -> {
                if (known == null && name.equals("method")) {
                    method = params.text(name, MAX_METHOD);
                    return true;
                }
                return putMember(name) || writesMember(name);
            });
            return switch (ParamsParser.required(known == null ? method : known, "method")) {
                case PUT -> new RequestParams.CheckpointPut(ParamsParser.required(namespace, "ns"),
                        ParamsParser.required(id, "id"), other, ParamsParser.required(checkpoint, "checkpoint"),
                        ParamsParser.required(metadata, "metadata"), versions, blobs);
                case PUT_WRITES -> new RequestParams.WritesPut(ParamsParser.required(namespace, "ns"),
                        ParamsParser.required(id, "id"), ParamsParser.required(task, "task"), path, writes);
                default -> throw ParamsParser.invalid("method", PUT + " or " + PUT_WRITES);
            };
        }

        private boolean putMember(String name) throws IOException {
            switch (name) {
                case "ns" -> namespace = params.text(name, MAX_NAMESPACE);
                case "id" -> id = params.uuid(name);
                case "parent_id" -> other = params.isNull() ? null : params.uuid(name);
                case "checkpoint" -> {
                    params.begin(name);
                    checkpoint = values.read(name);
                    params.end();
                }
                case "metadata" -> metadata = params.object(name, MAX_METADATA);
                case "versions" -> params.members(name, this::version);
                case "blobs" -> params.elements(name, MAX_ELEMENTS, this::blob);
                default -> {
                    return false;
                }
            }
            return true;
        }

        private boolean version(String channel) throws IOException {
            if (channel.length() > MAX_CHANNEL || versions.size() == MAX_ELEMENTS) {
                throw new RequestException(Code.VALUE_TOO_LARGE, "`versions` must have at most " + MAX_ELEMENTS
                        + " channels, with names of at most " + MAX_CHANNEL + " characters.");
            }
            if (!ParamsParser.isStorable(channel)) {
                throw ParamsParser.invalid("versions", "an object whose names do not contain U+0000 and lone surrogates");
            }
            versions.put(channel, params.text("versions", MAX_VERSION));
            return true;
        }

        private void blob() throws IOException {
            params.begin("blobs");
            String channel = params.text("blobs", MAX_CHANNEL);
            params.next("blobs");
            String version = params.text("blobs", MAX_VERSION);
            params.next("blobs");
            blobs.add(new ChannelBlob(channel, version, values.read("blobs")));
            params.end();
        }

        private boolean writesMember(String name) throws IOException {
            switch (name) {
                case "task" -> task = params.text(name, MAX_TASK);
                case "path" -> path = params.isNull() ? "" : params.text(name, MAX_PATH);
                case "writes" -> params.elements(name, MAX_ELEMENTS, this::channelWrite);
                default -> {
                    return false;
                }
            }
            return true;
        }

        private void channelWrite() throws IOException {
            params.begin("writes");
            int index = (int) params.integer("writes", Integer.MIN_VALUE, Integer.MAX_VALUE);
            params.next("writes");
            String channel = params.text("writes", MAX_CHANNEL);
            params.next("writes");
            writes.add(new ChannelWrite(index, channel, values.read("writes")));
            params.end();
        }

        RequestParams get() throws IOException {
            params.members("params", this::selection);
            return new RequestParams.CheckpointGet(ParamsParser.required(namespace, "ns"), id);
        }

        private boolean selection(String name) throws IOException {
            switch (name) {
                case "ns" -> namespace = params.isNull() ? null : params.text(name, MAX_NAMESPACE);
                case "id" -> id = params.isNull() ? null : params.uuid(name);
                default -> {
                    return false;
                }
            }
            return true;
        }

        RequestParams list() throws IOException {
            int[] limit = { MAX_PAGE };
            params.members("params", name -> {
                switch (name) {
                    case "before" -> other = params.isNull() ? null : params.uuid(name);
                    case "limit" -> limit[0] = params.isNull() ? MAX_PAGE : (int) params.integer(name, 1, MAX_PAGE);
                    case "filter" -> metadata = params.isNull() ? null : params.object(name, MAX_METADATA);
                    default -> {
                        return selection(name);
                    }
                }
                return true;
            });
            return new RequestParams.CheckpointQuery(namespace, id, other, limit[0], metadata);
        }
    }
}
