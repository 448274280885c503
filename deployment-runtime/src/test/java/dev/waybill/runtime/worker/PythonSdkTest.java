package dev.waybill.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.runtime.RuntimeSettings;
import dev.waybill.runtime.RuntimeTest;
import io.restassured.RestAssured;

/** Threads with the SDK for Python. Skipped if its packages cannot be installed. */
@RuntimeTest
class PythonSdkTest {

    @BeforeAll
    static void install() throws Exception {
        PythonThreadsTest.install();
    }

    @Test
    void sdkForPythonUsesThreads() throws Exception {
        // When
        Process sdk = PythonThreadsTest.start(PythonThreadsTest.ENVIRONMENT.resolve("bin/python").toString(),
                List.of("sdk.py", "http://localhost:" + RestAssured.port, RuntimeSettings.KEY));
        String output = PythonThreadsTest.output(sdk);

        // Then
        assertThat(sdk.exitValue()).as(output).isZero();
        JsonNode result = new ObjectMapper().readTree(output.substring(output.lastIndexOf("\n{") + 1));
        assertThat(result.get("completions").toString())
                .isEqualTo("[\"delete\",\"keep\",\"complete\",\"continue\"]");
        assertThat(result.get("kept").toString()).isEqualTo("{\"delete\":true,\"keep\":false}");
        assertThat(result.get("created").toString()).isEqualTo("{\"missing\":404,\"log\":[\"first\"]}");
        assertThat(result.get("copy").toString()).isEqualTo("{\"log\":[\"first\"],\"runs\":0,\"states\":true}");
        assertThat(result.get("cancelled").textValue()).isEqualTo("interrupted");
        assertThat(result.get("search").toString()).isEqualTo("{\"values\":1,\"metadata\":1,\"busy\":0,\"count\":1}");
        assertThat(result.get("item").toString()).isEqualTo("{\"value\":{\"a\":1},\"prefix\":1,\"deleted\":true}");
        assertThat(result.get("supersteps").toString()).isEqualTo("[\"given\"]");
        assertThat(result.get("several").toString()).isEqualTo("{\"batch\":2,\"cancelled\":true,"
                + "\"kept\":{\"pruned_count\":1},\"pruned\":{\"pruned_count\":1},\"read\":404}");
        assertThat(result.get("stream").booleanValue()).isTrue();
    }
}
