package dev.waybill.common.idempotency;

import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.id.Digests;

/**
 * Computes the SHA-256 of a parsed request; the order of members and whitespace have no effect. Reads records by component
 * instead of serializing them, because serialization omits secrets.
 */
public final class Fingerprint {

    private final ObjectMapper mapper;

    public Fingerprint(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    public byte[] of(@Nullable Object request) {
        try {
            return Digests.sha256(mapper.writeValueAsBytes(canonical(request)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a parsed request can always be written as JSON", e);
        }
    }

    private @Nullable Object canonical(@Nullable Object value) {
        if (value instanceof Record body) {
            return members(body);
        }
        if (value instanceof Collection<?> list) {
            return list.stream().map(this::canonical).toArray();
        }
        if (value instanceof JsonNode node) {
            return canonical(node.isContainerNode() ? mapper.convertValue(node, Object.class) : node.toString());
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> sorted = new TreeMap<>();
            map.forEach((name, member) -> sorted.put(String.valueOf(name), canonical(member)));
            return sorted;
        }
        return value;
    }

    private Map<String, @Nullable Object> members(Record body) {
        Map<String, @Nullable Object> members = new TreeMap<>();
        for (RecordComponent component : body.getClass().getRecordComponents()) {
            try {
                members.put(component.getName(), canonical(component.getAccessor().invoke(body)));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("a record component cannot be read: " + component, e);
            }
        }
        return members;
    }
}
