package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.controlplane.engine.Outcome.Done;
import dev.waybill.controlplane.engine.Plan;
import dev.waybill.local.storage.FreePort;

/** An earlier revision is deployed again without being built again. */
class RedeploymentTest {

    @TempDir
    private Path directory;
    private EngineGround ground;
    private LocalEngine engine;
    private int port;
    private final UUID deployment = UUID.randomUUID();

    @BeforeEach
    void start() throws IOException {
        ground = new EngineGround(directory);
        engine = ground.engine();
        port = FreePort.find();
    }

    @AfterEach
    void stop() {
        ground.close();
    }

    @Test
    void anEarlierRevisionIsDeployedAgainWithoutBeingBuiltAgain() throws Exception {
        // Given: the first was replaced by the second, and its repository is gone since
        String first = ground.repository.file("behaviour", "first").commit();
        String second = ground.repository.file("behaviour", "second").commit();
        deploy(plan(1, first));
        Plan replacing = plan(2, second);
        deploy(replacing);
        ground.stop(engine, deployment, replacing.revisionId());
        Files.move(directory.resolve("repository.git"), directory.resolve("away"));

        // When
        Plan again = plan(3, first);
        deploy(again);
        ground.stop(engine, deployment, again.revisionId());

        // Then
        assertThat(ground.get(port, "/version").body()).isEqualTo("first");
        assertThat(installations()).containsExactly("first", "second");
        assertThat(ground.log).anyMatch(line -> line.contains("was built already with these commands and secrets"));
        assertThat(ground.folder(replacing)).doesNotExist();
        assertThat(ground.processes(replacing)).isEmpty();
        assertThat(ground.build(replacing)).exists();
    }

    @Test
    void whatIsServedNowCanBeDeployedAgainBesideItself() throws Exception {
        // Given
        String commit = ground.repository.file("behaviour", "well").commit();
        deploy(plan(1, commit));
        String before = ground.get(port, "/pid").body();

        // When
        Plan again = plan(2, commit);
        deploy(again);
        ground.stop(engine, deployment, again.revisionId());

        // Then
        assertThat(ground.get(port, "/pid").body()).isNotEqualTo(before);
        assertThat(installations()).containsExactly("well");
    }

    @Test
    void otherSecretsAreABuildOfTheirOwn() throws Exception {
        // Given
        String commit = ground.repository.file("behaviour", "well").commit();
        deploy(plan(1, commit));

        // When
        Plan other = ground.plan(deployment, 2, port, commit, "langgraph.json", install(), Map.of("SECRET", "another"));
        deploy(other);

        // Then
        assertThat(installations()).hasSize(2);
    }

    @Test
    void soManyBuildsAreKeptAndNoneOfTheRest() throws Exception {
        // Given
        ground.settings.kept = 2;
        Plan last = plan(1, ground.repository.file("behaviour", "number 0").commit());
        deploy(last);

        // When
        for (int number = 2; number <= 5; number++) {
            last = plan(number, ground.repository.file("behaviour", "number " + number).commit());
            deploy(last);
            ground.stop(engine, deployment, last.revisionId());
        }

        // Then: the one in use, and two
        assertThat(builds()).hasSize(3).contains(ground.build(last));
        ground.stop(engine, deployment);
        assertThat(ground.settings.directory().resolve(deployment.toString())).doesNotExist();
    }

    @Test
    void whatWasNotMadeWholeIsNotKept() throws Exception {
        // Given: a crash, in the middle of the next build
        String commit = ground.repository.file("behaviour", "well").commit();
        Plan plan = plan(1, commit);
        deploy(plan);
        Path half = ground.build(plan).resolveSibling("0123456789abcdef0123456789abcdef");
        Files.createDirectories(half.resolve("repository"));

        // When
        ground.stop(engine, deployment, plan.revisionId());

        // Then
        assertThat(builds()).containsExactly(ground.build(plan));
    }

    private Plan plan(int number, String commit) {
        return ground.plan(deployment, number, port, commit, "langgraph.json", install(), Map.of("SECRET", "hush-hush"));
    }

    private String install() {
        return "cat behaviour >> " + directory.resolve("installed") + "; echo >> " + directory.resolve("installed");
    }

    private List<String> installations() throws IOException {
        return Files.readAllLines(directory.resolve("installed"));
    }

    private List<Path> builds() throws IOException {
        try (Stream<Path> builds = Files.list(ground.settings.directory().resolve(deployment.toString()).resolve("builds"))) {
            return builds.toList();
        }
    }

    private void deploy(Plan plan) {
        assertThat(ground.prepare(engine, plan)).isInstanceOf(Done.class);
        assertThat(ground.start(engine, plan)).isInstanceOf(Done.class);
    }
}
