package dev.waybill.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.node.NodePrograms;

/** Programs of src/test/node, as the tests run them: with the packages below {@code target}. */
final class NodeProgram {

    private static final NodePrograms PROGRAMS = new NodePrograms(RunningStack.root().resolve("local/src/test/node"),
            Path.of("target", "node"), 120);

    private NodeProgram() {
    }

    /** @return the last line that the program printed, which is JSON */
    static JsonNode run(Map<String, String> environment, String program, String... arguments)
            throws IOException, InterruptedException {
        return PROGRAMS.run(environment, program, arguments);
    }

    /** @return the last line that the program printed, started from a shell that only sourced {@code environment} */
    static JsonNode runAfterSourcing(Path environment, String program, String... arguments)
            throws IOException, InterruptedException {
        return PROGRAMS.runAfterSourcing(environment, program, arguments);
    }

    /** @return what a program prints that is not of src/test/node */
    static String print(String name, String text) throws IOException, InterruptedException {
        return PROGRAMS.print(name, text);
    }
}
