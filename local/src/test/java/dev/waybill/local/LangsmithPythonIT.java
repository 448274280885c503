package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.stack.ServiceKind;

/** Tests the Python client if pip can install it. */
class LangsmithPythonIT {

    @Test
    void methodsOfThePythonClientWorkAsDocumented() throws IOException, InterruptedException {
        // Given
        Optional<String> problem = PythonProgram.install();
        problem.ifPresent(
                text -> System.out.println("The Python client is not tested: pip cannot install it here (" + text + ")"));
        assumeTrue(problem.isEmpty(), "pip can install the Python client");
        Workspace workspace = Workspace.create("python");

        // When
        JsonNode found = PythonProgram.run(Map.of(
                "LANGSMITH_ENDPOINT", workspace.running().address(ServiceKind.EXPERIMENT) + "/api/v1",
                "LANGSMITH_API_KEY", workspace.apiKey(),
                "LANGSMITH_TRACING", "true"), "methods.py", workspace.name());

        // Then
        assertThat(found.get("warnings")).isEmpty();
        ClientMethods.assertDocumented("python", found);
        assertThat(TableText.value("SELECT string_agg(name, ' ' ORDER BY name) FROM trace.runs WHERE name IN ('agent', 'tool',"
                + " 'ChatOpenAI') AND tenant_id = '" + workspace.tenantId() + "'")).isEqualTo("ChatOpenAI agent tool");
    }
}
