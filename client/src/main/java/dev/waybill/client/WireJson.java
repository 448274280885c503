package dev.waybill.client;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.deser.std.NumberDeserializers;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;

/** The JSON format of the API: snake_case names, exact numbers, no members that are null. */
final class WireJson {

    static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .defaultPropertyInclusion(JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
            .enable(DeserializationFeature.READ_ENUMS_USING_TO_STRING, DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(SerializationFeature.WRITE_ENUMS_USING_TO_STRING)
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .annotationIntrospector(new RawTextIntrospector())
            .addModule(new JavaTimeModule())
            .addModule(new SimpleModule().addDeserializer(BigDecimal.class, new ScoreDeserializer()))
            .build();

    private WireJson() {
    }

    static String write(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Optional<JsonNode> read(String text) {
        try {
            return Optional.of(MAPPER.readTree(text));
        } catch (JsonProcessingException _) {
            return Optional.empty();
        }
    }

    /** Reads members that are written as raw JSON into the text of the JSON. */
    private static final class RawTextIntrospector extends JacksonAnnotationIntrospector {

        private static final long serialVersionUID = 1;

        @Override
        public Object findDeserializer(Annotated annotated) {
            return annotated.hasAnnotation(JsonRawValue.class) ? RawTextDeserializer.class : super.findDeserializer(annotated);
        }
    }

    private static final class RawTextDeserializer extends StdScalarDeserializer<String> {

        private static final long serialVersionUID = 1;

        RawTextDeserializer() {
            super(String.class);
        }

        @Override
        public String deserialize(JsonParser in, DeserializationContext context) throws IOException {
            StringWriter text = new StringWriter();
            try (JsonGenerator out = in.getCodec().getFactory().createGenerator(text)) {
                out.copyCurrentStructureExact(in);
            }
            return text.toString();
        }
    }

    /** Reads true and false as 1 and 0, as the API does for scores. */
    private static final class ScoreDeserializer extends StdScalarDeserializer<BigDecimal> {

        private static final long serialVersionUID = 1;

        ScoreDeserializer() {
            super(BigDecimal.class);
        }

        @Override
        public BigDecimal deserialize(JsonParser in, DeserializationContext context) throws IOException {
            return switch (in.currentToken()) {
                case VALUE_TRUE -> BigDecimal.ONE;
                case VALUE_FALSE -> BigDecimal.ZERO;
                default -> NumberDeserializers.BigDecimalDeserializer.instance.deserialize(in, context);
            };
        }
    }
}
