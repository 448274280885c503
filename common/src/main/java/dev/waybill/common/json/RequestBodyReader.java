package dev.waybill.common.json;

import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import jakarta.validation.Validator;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.Provider;

import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveResourceInfo;
import org.jboss.resteasy.reactive.server.spi.ServerMessageBodyReader;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.RequestSizeLimit;
import dev.waybill.common.problem.Violation;
import dev.waybill.common.problem.Violations;
import io.quarkus.arc.All;

/**
 * Reads a request record from JSON and validates it. Responds with 400 to a malformed document, and with one 422 that reports
 * all members of a wrong type, broken constraints and violations of the {@link BodyValidator}s.
 */
@Provider
@Consumes({ "application/json", "application/*+json" })
public class RequestBodyReader implements ServerMessageBodyReader<Object> {

    /** Bounds the size of the response to a long list of invalid objects. */
    private static final int MAX_VIOLATIONS = 1_000;

    private final ObjectMapper mapper;
    private final Validator validator;
    private final RequestSizeLimit limit;
    private final List<BodyValidator<?>> validators;

    public RequestBodyReader(ObjectMapper mapper, Validator validator, RequestSizeLimit limit,
            @All List<BodyValidator<?>> validators) {
        this.mapper = mapper;
        this.validator = validator;
        this.limit = limit;
        this.validators = validators;
    }

    /** Parses and validates {@code json}; for bodies that are not a resource method's parameter. */
    public <T> T read(byte[] json, Class<T> type) {
        if (!(parse(json) instanceof ObjectNode object)) {
            throw ProblemException.invalid(new Violation(List.of(), "The body must be a JSON object", "type"));
        }
        List<Violation> violations = new ArrayList<>();
        T body = read(object, type, violations);
        ProblemException.throwIfAny(violations);
        return body;
    }

    /** Parses a list of objects and validates each; responds with one 422 that reports the violations of all. */
    public <T> List<T> readList(InputStream json, Class<T> type, int maxSize) throws IOException {
        if (!(parse(bytes(json)) instanceof ArrayNode elements) || elements.isEmpty() || elements.size() > maxSize) {
            throw ProblemException.invalid(new Violation(List.of(),
                    "The body must be a JSON list of 1 to " + maxSize + " objects", "type"));
        }
        List<Violation> violations = new ArrayList<>();
        List<T> bodies = new ArrayList<>();
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i) instanceof ObjectNode object) {
                List<Violation> ofElement = new ArrayList<>();
                bodies.add(read(object, type, ofElement));
                int index = i;
                ofElement.forEach(violation -> violations.add(violation.in(index)));
            } else {
                violations.add(new Violation(List.of(i), "must be an object", "type"));
            }
        }
        if (!violations.isEmpty()) {
            throw ProblemException.invalid(violations.subList(0, Math.min(violations.size(), MAX_VIOLATIONS)),
                    violations.size());
        }
        return bodies;
    }

    private <T> T read(ObjectNode object, Class<T> type, List<Violation> violations) {
        JsonTypeValidator types = new JsonTypeValidator();
        types.object(object, type, List.of());
        T body = bind(object, type);
        violations.addAll(types.violations());
        Stream.concat(Violations.from(validator.validate(body)).stream(), ruleViolations(body, type, types.removedMembers()))
                .filter(violation -> !types.isRemoved(violation.loc()))
                .forEach(violations::add);
        return body;
    }

    private <T> Stream<Violation> ruleViolations(T body, Class<T> type, Set<String> unread) {
        return validators.stream()
                .filter(validator -> validator.type() == type)
                .flatMap(validator -> ruleViolations(validator, body, unread));
    }

    private static <R> Stream<Violation> ruleViolations(BodyValidator<R> validator, Object body, Set<String> unread) {
        return validator.violations(validator.type().cast(body), unread).stream();
    }

    private byte[] bytes(InputStream body) throws IOException {
        byte[] bytes = body.readNBytes((int) Math.min(Integer.MAX_VALUE - 8, limit.bytes() + 1));
        if (bytes.length > limit.bytes()) {
            throw limit.exceeded();
        }
        return bytes;
    }

    private JsonNode parse(byte[] json) {
        try (JsonParser parser = new NodeLimitParser(mapper.getFactory().createParser(json))) {
            JsonNode document = mapper.readTree(parser);
            if (document == null || document.isMissingNode()) {
                throw malformed("The body is empty; send a JSON object.", null);
            }
            return document;
        } catch (StreamConstraintsException | NumberFormatException e) {
            throw malformed("The JSON document is nested too deeply or contains too many or too large values.", e);
        } catch (JacksonException e) {
            throw malformed("The body " + MalformedJson.reason(e) + ".", e);
        } catch (IOException e) {
            throw malformed("The body could not be read.", e);
        }
    }

    private <T> T bind(ObjectNode object, Class<T> type) {
        try {
            return mapper.treeToValue(object, type);
        } catch (JacksonException e) {
            throw ProblemException.invalid(new Violation(List.of(), e.getOriginalMessage(), "type"));
        }
    }

    private static ProblemException malformed(String detail, @Nullable Throwable cause) {
        return new ProblemException(CommonProblem.MALFORMED_REQUEST, detail, cause);
    }

    @Override
    public boolean isReadable(Class<?> type, Type genericType, ResteasyReactiveResourceInfo target, MediaType mediaType) {
        return type.isRecord();
    }

    @Override
    public boolean isReadable(Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
        return type.isRecord();
    }

    @Override
    public Object readFrom(Class<Object> type, Type genericType, MediaType mediaType, ServerRequestContext context)
            throws IOException {
        return read(bytes(context.getInputStream()), type);
    }

    @Override
    public Object readFrom(Class<Object> type, Type genericType, Annotation[] annotations, MediaType mediaType,
            MultivaluedMap<String, String> headers, InputStream body) throws IOException {
        return read(bytes(body), type);
    }

    /**
     * Stops parsing a document that has more objects, arrays and members than any valid body. Each node of a JSON
     * tree takes some
     * hundred bytes, so a few requests that consist of brackets could exhaust the heap.
     */
    private static final class NodeLimitParser extends JsonParserDelegate {

        static final int MAX_NODES = 100_000;

        private int nodes;

        NodeLimitParser(JsonParser parser) {
            super(parser);
        }

        @Override
        public @Nullable JsonToken nextToken() throws IOException {
            JsonToken token = super.nextToken();
            boolean isNode = token == JsonToken.FIELD_NAME || token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY;
            if (isNode && ++nodes > MAX_NODES) {
                throw new StreamConstraintsException("more than " + MAX_NODES + " objects, lists and members");
            }
            return token;
        }
    }
}
