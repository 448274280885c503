package dev.waybill.runtime.cron;

import java.util.List;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.run.CreateThreadRunRequest;
import dev.waybill.runtime.storage.CronStorage.CronSettings;
import dev.waybill.runtime.storage.JsonText;

/** Payloads of crons: the members of the requests for their runs, without those that a cron has itself. */
@Singleton
class CronPayloads {

    private static final String ASSISTANT = "assistant_id";
    private static final String METADATA = "metadata";

    private final ObjectMapper mapper;

    CronPayloads(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    ObjectNode of(CreateThreadRunRequest request) {
        ObjectNode payload = mapper.valueToTree(request);
        payload.remove(List.of(ASSISTANT, METADATA));
        payload.properties().removeIf(member -> member.getValue().isNull());
        return payload;
    }

    /** Returns a payload with the members of a request that are not null. */
    String merge(String payload, CreateThreadRunRequest changes) {
        return JsonText.merge(payload, of(changes).toString());
    }

    /** Returns the request for a run. */
    CreateThreadRunRequest request(CronSettings settings) {
        ObjectNode request = JsonText.object(settings.payload()).put(ASSISTANT, settings.assistant().toString());
        JsonNode metadata = JsonText.parse(settings.metadata());
        request.set(METADATA, metadata);
        try {
            return mapper.treeToValue(request, CreateThreadRunRequest.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the stored payload of a cron cannot be read", e);
        }
    }
}
