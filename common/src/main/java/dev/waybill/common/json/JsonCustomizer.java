package dev.waybill.common.json;

import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;

import dev.waybill.common.time.Timestamps;
import io.quarkus.jackson.ObjectMapperCustomizer;

/** The one way JSON is written and read on every wire (contract.md "Everywhere"). Enums show what their toString says. */
@Singleton
public class JsonCustomizer implements ObjectMapperCustomizer {

    private static final int DEEPEST_NESTING = 200;

    /** After Quarkus' own, whose module for java.time would otherwise write timestamps its way. */
    @Override
    public int priority() {
        return MINIMUM_PRIORITY;
    }

    @Override
    public void customize(ObjectMapper mapper) {
        mapper.setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);
        mapper.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        mapper.enable(DeserializationFeature.READ_ENUMS_USING_TO_STRING);
        mapper.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
        mapper.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        mapper.enable(SerializationFeature.WRITE_ENUMS_USING_TO_STRING);
        mapper.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
        mapper.enable(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN);
        mapper.getFactory().setStreamReadConstraints(StreamReadConstraints.builder()
                .maxNestingDepth(DEEPEST_NESTING)
                .build());
        mapper.registerModule(new SimpleModule("waybill-time")
                .addSerializer(Instant.class, new InstantWriter())
                .addDeserializer(Instant.class, new InstantReader()));
    }

    private static final class InstantWriter extends StdScalarSerializer<Instant> {

        InstantWriter() {
            super(Instant.class);
        }

        @Override
        public void serialize(Instant value, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeString(Timestamps.format(value));
        }
    }

    private static final class InstantReader extends StdScalarDeserializer<Instant> {

        InstantReader() {
            super(Instant.class);
        }

        @Override
        public Instant deserialize(JsonParser in, DeserializationContext context) throws IOException {
            try {
                return Timestamps.parse(in.getText());
            } catch (DateTimeException e) {
                throw context.weirdStringException(in.getText(), Instant.class, "not an ISO 8601 timestamp");
            }
        }
    }
}
