package dev.waybill.controlplane.edge;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.quarkus.jackson.ObjectMapperCustomizer;

/**
 * Bounds of how many parts a body may consist of. Its bytes are bounded anyway, but a list of two million brackets takes fifty
 * times as much when it is read, and each of its elements could be wrong in several ways.
 */
@Singleton
class JsonTokenLimit implements ObjectMapperCustomizer {

    /** Names, values and brackets. Two hundred secrets, which is as many as there may be, have twelve hundred. */
    static final int MOST = 20_000;

    @Override
    public void customize(ObjectMapper mapper) {
        JsonFactory factory = mapper.getFactory();
        factory.setStreamReadConstraints(factory.streamReadConstraints().rebuild().maxTokenCount(MOST).build());
    }
}
