package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.controlplane.engine.Observation;
import dev.waybill.controlplane.engine.Outcome.Done;
import dev.waybill.controlplane.engine.Plan;
import dev.waybill.local.storage.FreePort;

/** Fault F26: applications that end after they were healthy. */
class ApplicationCrashTest {

    @TempDir
    private Path directory;
    private EngineGround ground;
    private LocalEngine engine;
    private final int port = FreePort.find();

    @BeforeEach
    void start() throws IOException {
        ground = new EngineGround(directory);
        engine = ground.engine();
    }

    @AfterEach
    void stop() {
        ground.close();
    }

    @Test
    void whatAnApplicationPutsInThePlaceOfItsLogIsNotRead() throws Exception {
        // Given
        Plan plan = deployed("well");
        Path elsewhere = Files.writeString(directory.resolve("elsewhere"), "of somebody else\n");
        Files.delete(ground.folder(plan).resolve("output.log"));
        Files.createSymbolicLink(ground.folder(plan).resolve("output.log"), elsewhere);

        // When
        ground.get(port, "/crash");
        await().atMost(EngineGround.PATIENCE).until(() -> !ground.changes.isEmpty());
        Observation told = ground.observe(engine, plan);

        // Then
        assertThat(((Observation.Failing) told).reason()).doesNotContain("of somebody else");
        assertThat(elsewhere).hasContent("of somebody else");
    }

    @Test
    void aCrashIsToldAndTheApplicationStartedAgain() throws Exception {
        // Given
        Plan plan = deployed("well");

        // When: with what it said last, the crashed one is told about
        HttpResponse<String> crashed = ground.get(port, "/crash");
        await().atMost(EngineGround.PATIENCE).until(() -> !ground.changes.isEmpty());
        Observation told = ground.observe(engine, plan);

        // Then
        assertThat(crashed.statusCode()).isEqualTo(503);
        assertThat(told).isInstanceOfSatisfying(Observation.Failing.class,
                failing -> assertThat(failing.reason()).contains("The application ended").doesNotContain("hush-hush"));
        await().atMost(EngineGround.PATIENCE).until(() -> ground.observe(engine, plan) instanceof Observation.Serving);
        assertThat(ground.get(port, "/version").body()).isEqualTo("well");
    }

    @Test
    void whatAnApplicationLeavesBehindIsNotTakenForIt() throws Exception {
        // Given
        Plan plan = deployed("leaves-a-child");
        assertThat(ground.processes(plan)).hasSize(2);

        // When
        ground.get(port, "/crash");

        // Then
        await().atMost(EngineGround.PATIENCE).until(() -> ground.observe(engine, plan) instanceof Observation.Serving);
        assertThat(ground.get(port, "/version").body()).isEqualTo("leaves-a-child");
        assertThat(ground.processes(plan)).hasSize(2);
    }

    private Plan deployed(String behaviour) throws IOException {
        Plan plan = ground.plan(UUID.randomUUID(), 1, port, ground.repository.file("behaviour", behaviour).commit());
        assertThat(ground.prepare(engine, plan)).isInstanceOf(Done.class);
        assertThat(ground.start(engine, plan)).isInstanceOf(Done.class);
        return plan;
    }
}
