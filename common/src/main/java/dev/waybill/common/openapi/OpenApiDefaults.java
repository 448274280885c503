package dev.waybill.common.openapi;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.eclipse.microprofile.openapi.models.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.models.security.SecurityScheme;

import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;

/**
 * Adds the common parts of all operations to each service's OpenAPI description: the problem response, the three security
 * schemes, numeric page parameters, and {@code Idempotency-Key} for operations whose id begins with {@code create} or {@code
 * upload}.
 */
public class OpenApiDefaults implements OASFilter {

    private static final String PROBLEM = "Problem";
    private static final String OFFSET = "Number of items to skip.";
    private static final Pattern JAVA_DIALECT = Pattern.compile("\\(\\?[a-zA-Z]+[:)]|\\\\p\\{");
    private static final List<String> SCHEMES = List.of("API Key", "Tenant ID", "Bearer Auth");

    /** Removes constructs that client generators reject: patterns in Java's regex dialect and types beside references. */
    @Override
    public Schema filterSchema(Schema schema) {
        if (schema.getPattern() != null && JAVA_DIALECT.matcher(schema.getPattern()).find()) {
            schema.setPattern(null);
        }
        if (schema.getRef() != null) {
            schema.setType(null);
        }
        return schema;
    }

    @Override
    public void filterOpenAPI(OpenAPI description) {
        if (description.getComponents() == null) {
            description.setComponents(OASFactory.createComponents());
        }
        description.getComponents().addSchema(PROBLEM, problem());
        description.getComponents().addSecurityScheme(SCHEMES.get(0), header("X-Api-Key", "An API key."));
        description.getComponents().addSecurityScheme(SCHEMES.get(1), header("X-Tenant-Id", "The workspace's id."));
        description.getComponents().addSecurityScheme(SCHEMES.get(2), OASFactory.createSecurityScheme()
                .type(SecurityScheme.Type.HTTP)
                .scheme("bearer")
                .description("An API key or a JSON Web Token."));
        if (description.getPaths() != null) {
            description.getPaths().getPathItems().values().stream()
                    .flatMap(path -> path.getOperations().values().stream())
                    .forEach(OpenApiDefaults::describe);
        }
    }

    private static void describe(Operation operation) {
        operation.getResponses().setDefaultValue(problemResponse());
        if (operation.getParameters() != null) {
            operation.getParameters().forEach(OpenApiDefaults::describe);
        }
        addTotalHeader(operation);
        if (operation.getOperationId() != null && createsSomething(operation.getOperationId())) {
            operation.addParameter(idempotencyKey());
        }
        if (operation.getSecurity() == null || operation.getSecurity().isEmpty()) {
            SecurityRequirement keyAndWorkspace = OASFactory.createSecurityRequirement()
                    .addScheme(SCHEMES.get(0))
                    .addScheme(SCHEMES.get(1));
            operation.setSecurity(List.of(OASFactory.createSecurityRequirement().addScheme(SCHEMES.get(0)), keyAndWorkspace,
                    OASFactory.createSecurityRequirement().addScheme(SCHEMES.get(2))));
        }
    }

    private static boolean createsSomething(String operationId) {
        return operationId.startsWith("create") || operationId.startsWith("upload");
    }

    private static void addTotalHeader(Operation operation) {
        boolean paged = operation.getParameters() != null
                && operation.getParameters().stream().anyMatch(OpenApiDefaults::isOffset);
        APIResponse page = operation.getResponses().getAPIResponse("200");
        if (paged && page != null) {
            page.addHeader(Page.TOTAL_HEADER, OASFactory.createHeader()
                    .description("Total number of items in the list.")
                    .schema(wholeNumber(0)));
        }
    }

    private static void describe(Parameter parameter) {
        // A parameter with its own description has its own range, and a list with a cursor has no offset.
        if (parameter.getIn() == Parameter.In.QUERY && parameter.getName().equals("limit")
                && parameter.getDescription() == null) {
            parameter.schema(wholeNumber(1).maximum(BigDecimal.valueOf(PageParameters.MAX_LIMIT)))
                    .description("Maximum number of items to return.");
        }
        if (isOffset(parameter)) {
            parameter.schema(wholeNumber(0)).description(OFFSET);
        }
    }

    private static boolean isOffset(Parameter parameter) {
        return parameter.getIn() == Parameter.In.QUERY && parameter.getName().equals("offset")
                && (parameter.getDescription() == null || parameter.getDescription().equals(OFFSET));
    }

    private static Parameter idempotencyKey() {
        return OASFactory.createParameter()
                .name("Idempotency-Key")
                .in(Parameter.In.HEADER)
                .description(
                        "Any text that the client chooses for this creation, for example a UUID. For 24 hours, the same key and body"
                                + " return the first result again.")
                .schema(text("1 to 255 visible ASCII characters.").maxLength(255));
    }

    private static Schema wholeNumber(int min) {
        return OASFactory.createSchema().addType(Schema.SchemaType.INTEGER).minimum(BigDecimal.valueOf(min));
    }

    private static APIResponse problemResponse() {
        return OASFactory.createAPIResponse()
                .description(
                        "A problem: 400 malformed, 401 no or unknown key, 403 not allowed, 404 not found in this workspace,"
                                + " 409 conflict, 413 too large, 415 media type, 422 invalid with every violation, 429 too many.")
                .content(OASFactory.createContent().addMediaType("application/problem+json",
                        OASFactory.createMediaType().schema(OASFactory.createSchema().ref(PROBLEM))));
    }

    private static Schema problem() {
        Schema location = array(OASFactory.createSchema().description("The name of a member or an index in an array."));
        Schema violation = object()
                .addProperty("loc", location)
                .addProperty("message", text("What is wrong and what to send instead."))
                .addProperty("type", text("A stable identifier for programs."))
                .addProperty("position", OASFactory.createSchema().addType(Schema.SchemaType.INTEGER)
                        .description("For an invalid filter: the position of the first unexpected character, counted from 1."))
                .addProperty("expected", text("For an invalid filter: the valid input at this position."));
        return object()
                .description("Problem details of RFC 9457.")
                .addProperty("type", text("A URN; programs compare its last part."))
                .addProperty("title", text("The kind of problem."))
                .addProperty("status", OASFactory.createSchema().addType(Schema.SchemaType.INTEGER))
                .addProperty("detail", text("One readable sentence."))
                .addProperty("instance", text("The path of the request."))
                .addProperty("request_id", text("The value of the header X-Request-Id."))
                .addProperty("errors", array(violation))
                .required(List.of("type", "title", "status", "detail"))
                .addExample(example());
    }

    // In a fixed order, because a test compares the description as text.
    private static Map<String, Object> example() {
        Map<String, Object> example = new LinkedHashMap<>();
        example.put("type", "urn:waybill:problem:not_found");
        example.put("title", "Not found");
        example.put("status", 404);
        example.put("detail", "There is nothing at /v1/nothing.");
        example.put("instance", "/v1/nothing");
        return example;
    }

    private static SecurityScheme header(String name, String description) {
        return OASFactory.createSecurityScheme()
                .type(SecurityScheme.Type.APIKEY)
                .in(SecurityScheme.In.HEADER)
                .name(name)
                .description(description);
    }

    private static Schema object() {
        return OASFactory.createSchema().addType(Schema.SchemaType.OBJECT);
    }

    private static Schema array(Schema items) {
        return OASFactory.createSchema().addType(Schema.SchemaType.ARRAY).items(items);
    }

    private static Schema text(String description) {
        return OASFactory.createSchema().addType(Schema.SchemaType.STRING).description(description);
    }
}
