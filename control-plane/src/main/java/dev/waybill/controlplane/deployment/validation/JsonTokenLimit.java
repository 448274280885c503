package dev.waybill.controlplane.deployment.validation;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.quarkus.jackson.ObjectMapperCustomizer;

/**
 * Limits the number of JSON tokens in a request body. The byte limit alone is not enough: two million brackets take
 * fifty times their size when parsed, and each element can cause several violations.
 */
@Singleton
class JsonTokenLimit implements ObjectMapperCustomizer {

    /** Maximum number of names, values and brackets; the maximum of 200 secrets needs 1200. */
    static final int MAX_TOKENS = 20_000;

    @Override
    public void customize(ObjectMapper mapper) {
        JsonFactory factory = mapper.getFactory();
        factory.setStreamReadConstraints(factory.streamReadConstraints().rebuild().maxTokenCount(MAX_TOKENS).build());
    }
}
