package dev.waybill.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.runtime.ComparedServers;

/**
 * The SDK for Python with the packaged runtime, in comparison with the public development server. Skipped if its packages
 * cannot be installed.
 */
@Tag("full")
class PythonClientsIT {

    private static final String PAGE = """
            # Threads: differences from the public development server for Python

            The test `PythonClientsIT` makes %s calls with the LangGraph SDK for Python to the runtime and to the public
            development server (`@langchain/langgraph-api` %s, in memory), as [the test with the SDK of
            npm](threads-differences.md) does, and compares the responses in the same way. They are equal except for these
            accepted differences. The test generates this page (`-Dcompare.update=true` after an intended change).

            %s
            """;

    @TempDir
    Path directory;

    @BeforeAll
    static void install() throws Exception {
        PythonThreadsTest.install();
    }

    @Test
    void answersForPythonDifferOnlyAsDocumented() throws Exception {
        // Given
        try (ComparedServers servers = ComparedServers.start(directory)) {

            // When
            JsonNode result = ComparedServers.run("compare-python.mjs", responses("ours", servers.runtime()),
                    responses("other", servers.publicServer()));

            // Then
            assertThat(result.get("unaccepted")).as("differences that are not accepted").isEmpty();
            ComparedServers.assertThatPageIsCurrent("threads-differences-python.md", PAGE, result);
        }
    }

    /** Returns the file with the responses of a server. */
    private String responses(String name, String address) throws IOException, InterruptedException {
        Process sdk = PythonThreadsTest.start(PythonThreadsTest.ENVIRONMENT.resolve("bin/python").toString(),
                List.of("compare.py", address));
        String output = PythonThreadsTest.output(sdk);
        assertThat(sdk.exitValue()).as(output).isZero();
        return Files.writeString(directory.resolve(name + ".json"), output.substring(output.lastIndexOf("\n{") + 1)).toString();
    }
}
