package dev.waybill.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * The Python worker with LangGraph: threads over version 2 of the protocol, with a host in Python that stores them in memory
 * (src/test/python-threads). Skipped if the packages cannot be installed.
 */
class PythonThreadsTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Path SOURCES = Path.of(System.getProperty("waybill.root"),
            "deployment-runtime/src/test/python-threads");
    static final Path ENVIRONMENT = Path.of("target", "python-threads").toAbsolutePath();
    private static final int MAX_MINUTES = 9;

    @BeforeAll
    static void install() throws Exception {
        Path installed = ENVIRONMENT.resolve("installed.txt");
        String packages = Files.readString(SOURCES.resolve("requirements.txt"))
                + Files.readString(SOURCES.resolve("packages.txt"));
        if (Files.exists(installed) && Files.readString(installed).equals(packages)) {
            return;
        }
        String pip = ENVIRONMENT.resolve("bin/pip").toString();
        List<String> options = List.of("install", "--quiet", "--disable-pip-version-check", "--retries", "0", "-r");
        require("python3", List.of("-m", "venv", ENVIRONMENT.toString()));
        require(pip, options, SOURCES.resolve("requirements.txt").toString());
        require(pip, options, SOURCES.resolve("packages.txt").toString(), "--no-deps");
        Files.writeString(installed, packages);
    }

    @TestFactory
    List<DynamicTest> graphsRememberOverProtocolVersion2() throws Exception {
        // When
        Process tests = start(ENVIRONMENT.resolve("bin/python").toString(), List.of("run_tests.py"));
        String output = output(tests);

        // Then
        List<DynamicTest> results = new ArrayList<>();
        for (String line : output.lines().filter(line -> line.startsWith("{\"test\"")).toList()) {
            JsonNode result = MAPPER.readTree(line);
            results.add(dynamicTest(result.path("test").textValue(),
                    () -> assertThat(result.path("problem").textValue()).isNull()));
        }
        results.add(dynamicTest("all tests ran", () -> assertThat(tests.exitValue()).as(output).isZero()));
        return results;
    }

    private static void require(String program, List<String> options, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(options);
        arguments.addAll(List.of(more));
        Process process = start(program, arguments);
        String output = output(process);
        Assumptions.assumeTrue(process.exitValue() == 0, () -> "LangGraph cannot be installed: " + output);
    }

    static Process start(String program, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).directory(SOURCES.toFile()).redirectErrorStream(true);
        // The machine's own tracing variables must not affect the test.
        builder.environment().keySet().removeIf(name -> name.matches("(LANGSMITH|LANGCHAIN|LANGGRAPH)_.*"));
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        return builder.start();
    }

    static String output(Process process) throws IOException, InterruptedException {
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(MAX_MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
        return output;
    }
}
