package dev.waybill.controlplane.source.git;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.controlplane.source.GitServer;
import dev.waybill.controlplane.source.SourceException;
import dev.waybill.controlplane.source.TestRepository;
import dev.waybill.controlplane.source.TestSourceConfig;

/** Tests with a git host whose responses they define. */
abstract class HostileHostScenario {

    /** Released at the end of the test, for responses that wait until then. */
    final CountDownLatch over = new CountDownLatch(1);
    @TempDir
    Path directory;
    GitServer server;
    TestRepository repository;

    @BeforeEach
    void serve() throws IOException {
        server = GitServer.start();
        repository = TestRepository.in(directory.resolve("repository.git"));
    }

    @AfterEach
    void stop() {
        over.countDown();
        server.close();
        repository.close();
    }

    SourceException checkout(TestSourceConfig limits, String url, String commit) {
        return catchThrowableOfType(SourceException.class,
                () -> limits.repositories().checkout(url, commit, null, directory.resolve("out-" + System.nanoTime())));
    }
}
