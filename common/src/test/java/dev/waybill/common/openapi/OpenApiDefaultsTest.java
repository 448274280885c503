package dev.waybill.common.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.junit.jupiter.api.Test;

class OpenApiDefaultsTest {

    @Test
    void everyOperationHasProblemResponseAndSecurity() {
        // Given
        Operation operation = operation("list_things");

        // When
        OpenAPI described = described(operation);

        // Then
        assertThat(operation.getResponses().getDefaultValue().getContent().getMediaTypes())
                .containsOnlyKeys("application/problem+json");
        assertThat(operation.getSecurity()).hasSize(3);
        assertThat(described.getComponents().getSecuritySchemes()).containsOnlyKeys("API Key", "Tenant ID", "Bearer Auth");
        assertThat(described.getComponents().getSchemas()).containsKey("Problem");
    }

    @Test
    void explicitSecurityIsRetained() {
        // Given
        Operation operation = operation("create_organization")
                .addSecurityRequirement(OASFactory.createSecurityRequirement().addScheme("API Key"));

        // When
        described(operation);

        // Then
        assertThat(operation.getSecurity()).hasSize(1);
    }

    @Test
    void creationsAcceptAnIdempotencyKey() {
        // Given
        Operation creation = operation("create_thing");
        Operation list = operation("list_things");

        // When
        described(creation);
        described(list);

        // Then
        assertThat(creation.getParameters()).extracting(Parameter::getName).containsExactly("Idempotency-Key");
        assertThat(list.getParameters()).isNull();
    }

    @Test
    void pageParametersAreNumbersAndTheTotalIsAHeader() {
        // Given
        Operation list = operation("list_things").addParameter(text("limit")).addParameter(text("offset"));

        // When
        described(list);

        // Then
        assertThat(list.getParameters()).allSatisfy(
                parameter -> assertThat(parameter.getSchema().getType()).isEqualTo(List.of(Schema.SchemaType.INTEGER)));
        assertThat(list.getResponses().getAPIResponse("200").getHeaders()).containsOnlyKeys("X-Pagination-Total");
    }

    @Test
    void listWithCursorHasNoTotalAndItsOwnLimit() {
        // Given
        Operation list = operation("list_things").addParameter(text("limit").description("Maximum number of lines."))
                .addParameter(text("cursor"));

        // When
        described(list);

        // Then
        assertThat(list.getParameters().getFirst().getDescription()).isEqualTo("Maximum number of lines.");
        assertThat(list.getResponses().getAPIResponse("200").getHeaders()).isNull();
    }

    @Test
    void patternsInJavaDialectAreOmitted() {
        // Given
        OpenApiDefaults defaults = new OpenApiDefaults();

        // Then
        assertThat(defaults.filterSchema(OASFactory.createSchema().pattern("(?U)(?=.*\\S).*")).getPattern()).isNull();
        assertThat(defaults.filterSchema(OASFactory.createSchema().pattern("[^\\p{Cc}]*")).getPattern()).isNull();
        assertThat(defaults.filterSchema(OASFactory.createSchema().pattern("(?!-)[a-z-]+")).getPattern())
                .isEqualTo("(?!-)[a-z-]+");
    }

    private static Parameter text(String name) {
        return OASFactory.createParameter().name(name).in(Parameter.In.QUERY)
                .schema(OASFactory.createSchema().addType(Schema.SchemaType.STRING));
    }

    private static Operation operation(String id) {
        return OASFactory.createOperation()
                .operationId(id)
                .responses(OASFactory.createAPIResponses().addAPIResponse("200", OASFactory.createAPIResponse()));
    }

    private static OpenAPI described(Operation operation) {
        OpenAPI description = OASFactory.createOpenAPI().paths(OASFactory.createPaths()
                .addPathItem("/things", OASFactory.createPathItem().GET(operation)));
        new OpenApiDefaults().filterOpenAPI(description);
        return description;
    }
}
