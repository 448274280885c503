package dev.waybill.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.node.NodePrograms;
import dev.waybill.local.storage.ChildProcess;

/** Runs programs of src/test/node with packages below {@code target}. */
final class NodeProgram {

    private static final NodePrograms PROGRAMS = new NodePrograms(RunningStack.root().resolve("local/src/test/node"),
            ForkFolder.resolve("node"), 120);

    private NodeProgram() {
    }

    /** Runs a program and parses the last line of its output as JSON. */
    static JsonNode run(Map<String, String> environment, String program, String... arguments)
            throws IOException, InterruptedException {
        return PROGRAMS.run(environment, program, arguments);
    }

    /** Runs a program in a shell that sources {@code environment}, and parses the last line of its output as JSON. */
    static JsonNode runAfterSourcing(Path environment, String program, String... arguments)
            throws IOException, InterruptedException {
        return PROGRAMS.runAfterSourcing(environment, program, arguments);
    }

    /** Starts a program that runs until the caller closes it. */
    static ChildProcess start(Map<String, String> environment, Path log, String program)
            throws IOException, InterruptedException {
        return PROGRAMS.start(environment, log, program);
    }

    /** Runs a program from a text and returns its output. */
    static String print(String name, String text) throws IOException, InterruptedException {
        return PROGRAMS.print(name, text);
    }
}
