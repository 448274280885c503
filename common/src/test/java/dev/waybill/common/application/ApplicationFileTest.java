package dev.waybill.common.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApplicationFileTest {

    @TempDir
    private Path directory;

    @Test
    void parsesGraphsInEveryForm() throws IOException {
        // Given
        file("agent.mjs", "");
        file("src/agent.py", "");

        // When
        Application application = read("""
                {"graphs": {
                    "script": "./agent.mjs:graph",
                    "described": {"path": "src/agent.py:make_graph", "description": "Answers questions."},
                    "program": {"command": ["java", "Agent.java", "--fast"], "description": "Any program."}},
                 "dependencies": [".", "langchain"], "node_version": 20, "python_version": "3.12", "store": {"ttl": 1}}""");

        // Then
        assertThat(application.graphs()).containsExactly(
                new Graph("described", "Answers questions.",
                        new Graph.Module(Graph.Language.PYTHON, "src/agent.py", "make_graph")),
                new Graph("program", "Any program.", new Graph.Command(List.of("java", "Agent.java", "--fast"))),
                new Graph("script", null, new Graph.Module(Graph.Language.NODE, "./agent.mjs", "graph")));
        assertThat(application.graph("script")).isPresent();
        assertThat(application.graph("other")).isEmpty();
        assertThat(application.environment()).isEmpty();
    }

    @Test
    void parsesEnvironmentMap() {
        Application application = read("""
                {"graphs": {"a": {"command": ["x"]}}, "env": {"MODEL": "small", "RETRIES": 3, "LOUD": true}}""");

        assertThat(application.environment()).isEqualTo(Map.of("MODEL", "small", "RETRIES", "3", "LOUD", "true"));
        assertThat(application.toString()).contains("MODEL").doesNotContain("small");
    }

    @Test
    void rejectsFilesLargerThanOneMebibyte() throws IOException {
        // Given
        file("langgraph.json", " ".repeat((1 << 20) + 1) + "{}");
        file("env.txt", "#".repeat((1 << 20) + 1));

        // When
        InvalidApplicationException large = catchThrowableOfType(InvalidApplicationException.class,
                () -> ApplicationFile.read(directory, "langgraph.json"));
        InvalidApplicationException environment = catchThrowableOfType(InvalidApplicationException.class,
                () -> read("{\"graphs\": {\"a\": {\"command\": [\"x\"]}}, \"env\": \"env.txt\"}"));

        // Then
        assertThat(large.errors()).containsExactly("cannot be read: it is larger than 1 MiB");
        assertThat(environment.errors()).singleElement().asString().contains("env.txt", "at most 1 MiB");
    }

    @Test
    void parsesEnvironmentFile() throws IOException {
        file(".env", """
                # what the model needs
                MODEL=small   # for now
                export KEY = 'a#b'

                TEXT="two\\nlines"
                EMPTY=
                """);

        Application application = read("""
                {"graphs": {"a": {"command": ["x"]}}, "env": ".env"}""");

        assertThat(application.environment())
                .isEqualTo(Map.of("MODEL", "small", "KEY", "a#b", "TEXT", "two\nlines", "EMPTY", ""));
    }

    @Test
    void reportsAllErrorsWithFileAndGraph() throws IOException {
        file("agent.ts", "");
        file(".env", "no value here\nGOOD=1\n");

        List<String> errors = errors("""
                {"graphs": {
                    "missing": "./nowhere.mjs:graph", "bare": "./agent.mjs", "typed": "./agent.ts:graph",
                    "outside": "../agent.py:graph", "ruby": "./agent.rb:graph", "a b": {"command": ["x"]},
                    "empty": {"command": []}, "both": {"path": "./a.py:g", "command": ["x"]}, "neither": {}, "number": 7},
                 "env": ".env", "dependencies": ["./nowhere"], "node_version": "latest", "python_version": 2}""");

        assertThat(errors).hasSize(14)
                .anyMatch(error -> error.startsWith("graphs.missing ") && error.contains("./nowhere.mjs"))
                .anyMatch(error -> error.startsWith("graphs.bare ") && error.contains("./agent.mjs:graph"))
                .anyMatch(error -> error.startsWith("graphs.typed ") && error.contains("TypeScript"))
                .anyMatch(error -> error.startsWith("graphs.outside ") && error.contains("inside the application"))
                .anyMatch(error -> error.startsWith("graphs.ruby ") && error.contains("command"))
                .anyMatch(error -> error.startsWith("env: .env, line 1"))
                .anyMatch(error -> error.startsWith("node_version "))
                .anyMatch(error -> error.startsWith("python_version "));
    }

    @Test
    void errorForMissingFileContainsAnExample() {
        InvalidApplicationException exception = catchThrowableOfType(InvalidApplicationException.class,
                () -> ApplicationFile.read(directory, "langgraph.json"));

        assertThat(exception).hasMessageContaining(directory.resolve("langgraph.json").toString())
                .hasMessageContaining("\"graphs\"")
                .hasMessageContaining("waybill.runtime.directory");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            {"graphs": {"a": "x:y"}      ; not well-formed JSON (line 1
            []                           ; one JSON object
            {}                           ; at least one graph
            {"graphs": {}}               ; at least one graph
            {"graphs": {"a": {"command": ["x"]}}, "graphs": {}} ; Duplicate
            {"graphs": {"a": {"command": ["x"]}}, "env": 7}     ; env must be
            {"graphs": {"a": {"command": ["x"]}}, "env": "../.env"}          ; is not a file of the application
            {"graphs": {"a": {"command": ["x"]}}, "env": "gone"}             ; use a path inside the application such as ".env"
            {"graphs": {"a": {"command": ["x"]}}, "env": "a\\u0000b"}         ; is not a file of the application
            {"graphs": {"a": {"command": ["x"]}}, "env": "latin"}            ; must be UTF-8 text
            {"graphs": {"a": {"command": ["x"]}}, "env": {"A": null}}        ; env.A must be a string, a number or a boolean
            {"graphs": {"a": {"command": ["x"]}}, "dependencies": ["./no"]}  ; name an existing folder
            {"graphs": {"a": {"command": ["x"]}}, "dependencies": [".\\u0000"]} ; name an existing folder
            {"graphs": {"a": {"command": ["x"]}}, "node_version": "v20.1"}   ; node_version must be a version such as "20"
            {"graphs": {"a": {"command": ["x"]}}, "python_version": "2.7"}   ; python_version must be a version such as "3.12"
            {"graphs": {"a": {"command": ["x"]}}, "node_version": true}      ; must be a version such as "20", not true
            {"graphs": {"a": "gone.py:g"}}       ; graphs.a names "gone.py", which does not exist
            {"graphs": {"a": "a\\u0000.py:g"}}   ; must name a file inside the application
            {"graphs": {"a": "../x.py:g"}}       ; graphs.a must name a file inside the application
            {"graphs": {"a": "x.py:1g"}}         ; graphs.a must be "path:export"
            {"graphs": {"a": {"path": 7}}}       ; graphs.a path must be "path:export"
            {"graphs": {"a": {"command": "x"}}}  ; for example ["java", "Agent.java"]
            {"graphs": {"a": {"command": ["x", 1]}}} ; graphs.a command must be a list of strings
            {"graphs": {"a": {"command": ["x"]}}, "env": {"a-b": "c"}}       ; is not a valid environment variable
            {"graphs": {"a": {"command": ["x"]}}, "dependencies": "."}       ; must be a list
            """)
    void reportsInvalidFiles(String json, String expected) throws IOException {
        Files.write(directory.resolve("latin"), new byte[] { 'A', '=', (byte) 0xe4 });
        assertThat(String.join("\n", errors(json))).contains(expected);
    }

    private List<String> errors(String json) {
        InvalidApplicationException exception = catchThrowableOfType(InvalidApplicationException.class, () -> read(json));
        assertThat(exception).as(json).isNotNull().hasMessageStartingWith(directory.resolve("langgraph.json").toString());
        return exception.errors();
    }

    private Application read(String json) {
        try {
            file("langgraph.json", json);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return ApplicationFile.read(directory, "langgraph.json");
    }

    private void file(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
