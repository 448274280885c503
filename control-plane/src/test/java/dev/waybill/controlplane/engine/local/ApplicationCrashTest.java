package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.controlplane.engine.Engine.Observation;
import dev.waybill.controlplane.engine.Engine.Outcome.Done;
import dev.waybill.controlplane.engine.RevisionSpec;

/** Fault F26: applications that end after they were healthy. */
@Tag("full")
class ApplicationCrashTest extends LocalEngineScenario {

    @Test
    void linkInPlaceOfTheLogIsNotRead() throws Exception {
        // Given
        RevisionSpec plan = deployed("well");
        Path foreignFile = Files.writeString(directory.resolve("foreignFile"), "foreign content\n");
        Files.delete(fixture.folder(plan).resolve("output.log"));
        Files.createSymbolicLink(fixture.folder(plan).resolve("output.log"), foreignFile);

        // When
        fixture.get(port, "/crash");
        await().atMost(LocalEngineFixture.TIMEOUT).until(() -> !fixture.changes.isEmpty());
        Observation observed = fixture.observe(engine, plan);

        // Then
        assertThat(((Observation.Failing) observed).reason()).doesNotContain("foreign content");
        assertThat(foreignFile).hasContent("foreign content");
    }

    @Test
    void crashIsReportedAndTheApplicationRestarted() throws Exception {
        // Given
        RevisionSpec plan = deployed("well");

        // When
        HttpResponse<String> crashed = fixture.get(port, "/crash");
        await().atMost(LocalEngineFixture.TIMEOUT).until(() -> !fixture.changes.isEmpty());
        Observation observed = fixture.observe(engine, plan);

        // Then
        assertThat(crashed.statusCode()).isEqualTo(503);
        assertThat(observed).isInstanceOfSatisfying(Observation.Failing.class,
                failing -> assertThat(failing.reason()).contains("The application ended").doesNotContain("hush-hush"));
        await().atMost(LocalEngineFixture.TIMEOUT).until(() -> fixture.observe(engine, plan) instanceof Observation.Serving);
        assertThat(fixture.get(port, "/version").body()).isEqualTo("well");
    }

    @Test
    void childProcessIsNotMistakenForTheApplication() throws Exception {
        // Given
        RevisionSpec plan = deployed("leaves-a-child");
        assertThat(fixture.processes(plan)).hasSize(2);

        // When
        fixture.get(port, "/crash");

        // Then
        await().atMost(LocalEngineFixture.TIMEOUT).until(() -> fixture.observe(engine, plan) instanceof Observation.Serving);
        assertThat(fixture.get(port, "/version").body()).isEqualTo("leaves-a-child");
        assertThat(fixture.processes(plan)).hasSize(2);
    }

    private RevisionSpec deployed(String behaviour) throws IOException {
        RevisionSpec plan = fixture.plan(UUID.randomUUID(), 1, port, fixture.repository.file("behaviour", behaviour).commit());
        assertThat(fixture.prepare(engine, plan)).isInstanceOf(Done.class);
        assertThat(fixture.start(engine, plan)).isInstanceOf(Done.class);
        return plan;
    }
}
