package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.stack.ServiceKind;

class LangsmithMethodsIT {

    @Test
    void methodsOfTheNpmClientWorkAsDocumented() throws IOException, InterruptedException {
        // Given
        Workspace workspace = Workspace.create("npm");

        // When
        JsonNode found = NodeProgram.run(Map.of(
                "LANGSMITH_ENDPOINT", workspace.running().address(ServiceKind.EXPERIMENT) + "/api/v1",
                "LANGSMITH_API_KEY", workspace.apiKey(),
                "LANGSMITH_TRACING", "true"), "methods.mjs", workspace.name());

        // Then
        assertThat(found.get("warnings")).isEmpty();
        ClientMethods.assertDocumented("npm", found);
    }
}
