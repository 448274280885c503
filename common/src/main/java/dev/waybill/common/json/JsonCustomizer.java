package dev.waybill.common.json;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ValueNode;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import com.fasterxml.jackson.databind.util.RawValue;

import dev.waybill.common.time.Timestamps;
import io.quarkus.jackson.ObjectMapperCustomizer;

/**
 * Configures the JSON format of every API: snake_case names, timestamps in UTC with microseconds, enums by their {@code
 * toString}.
 */
@Singleton
public class JsonCustomizer implements ObjectMapperCustomizer {

    private static final int MAX_NESTING_DEPTH = 200;
    private static final int MAX_SCALE = 9_999;

    /** Runs after the customizers of Quarkus, whose module for java.time would write another timestamp format. */
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
        // A service may add limits of its own.
        mapper.getFactory().setStreamReadConstraints(mapper.getFactory().streamReadConstraints().rebuild()
                .maxNestingDepth(MAX_NESTING_DEPTH)
                .build());
        mapper.setNodeFactory(new RawNumberNodeFactory());
        mapper.registerModule(new SimpleModule("waybill-time")
                .addSerializer(Instant.class, new InstantSerializer())
                .addDeserializer(Instant.class, new InstantDeserializer()));
    }

    // Written as a plain decimal, a number with such an exponent has as many digits, and the JSON writer rejects it. It is
    // stored as raw text instead and is not a number for readers of the tree.
    private static final class RawNumberNodeFactory extends JsonNodeFactory {

        private static final long serialVersionUID = 1L;

        @Override
        public ValueNode numberNode(@Nullable BigDecimal number) {
            ValueNode node = super.numberNode(number);
            return number == null || Math.abs((long) node.decimalValue().scale()) <= MAX_SCALE ? node
                    : rawValueNode(new RawValue(number.toString()));
        }
    }

    private static final class InstantSerializer extends StdScalarSerializer<Instant> {

        InstantSerializer() {
            super(Instant.class);
        }

        @Override
        public void serialize(Instant value, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeString(Timestamps.format(value));
        }
    }

    private static final class InstantDeserializer extends StdScalarDeserializer<Instant> {

        InstantDeserializer() {
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
