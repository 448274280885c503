package dev.waybill.runtime.worker;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.NodeProject;

/** The public validation suite of checkpointers with the saver of the Node worker. */
class NodeSaverValidationIT {

    private static final Path MODULE = Path.of(System.getProperty("waybill.root"), "deployment-runtime");
    private static final Path SOURCES = MODULE.resolve("src/test/node");

    @Test
    void saverPassesThePublicValidationSuite() throws Exception {
        NodeProject node = new NodeProject(SOURCES.resolve("validation"), MODULE.resolve("target/node-validation"));
        node.install();
        for (String name : List.of("validation/saver.mjs", "validation/saver.spec.mjs", "threads/answers.mjs",
                "threads/storage.mjs")) {
            Path source = SOURCES.resolve(name);
            Files.copy(source, node.work().resolve(source.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }

        node.run("run.mjs", MODULE.resolve("src/main/resources/shims/worker.mjs").toString());
    }
}
