package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.local.storage.FreePort;

/** Tests with an engine in a folder of their own; its processes end with the test. */
abstract class LocalEngineScenario {

    final UUID deployment = UUID.randomUUID();
    final int port = FreePort.find();
    @TempDir
    Path directory;
    LocalEngineFixture fixture;
    LocalEngine engine;

    @BeforeEach
    void startEngine() throws IOException {
        fixture = new LocalEngineFixture(directory);
        engine = fixture.engine();
    }

    @AfterEach
    void stopEngine() {
        fixture.close();
    }
}
