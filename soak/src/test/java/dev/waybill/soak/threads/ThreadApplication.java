package dev.waybill.soak.threads;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

import dev.waybill.local.RunningStack;
import dev.waybill.local.node.NodePrograms;

/** An application of LangGraph.js whose messages say what it does, as in the tests of deployment-runtime. */
final class ThreadApplication {

    private static final int NODE_SECONDS = 180;

    private ThreadApplication() {
    }

    /** Returns its directory, with its packages. */
    static Path install() throws IOException, InterruptedException {
        Path sources = RunningStack.root().resolve("deployment-runtime/src/test/node");
        Path work = RunningStack.root().resolve("soak/target/threads");
        new NodePrograms(sources, work, NODE_SECONDS).install();
        Files.copy(sources.resolve("threads/served.mjs"), work.resolve("threads.mjs"), StandardCopyOption.REPLACE_EXISTING);
        Files.writeString(work.resolve("langgraph.json"), "{\"graphs\": {\"threads\": \"./threads.mjs:graph\"}}");
        return work;
    }
}
