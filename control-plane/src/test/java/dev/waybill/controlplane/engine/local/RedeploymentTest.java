package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.controlplane.engine.Engine.Outcome.Done;
import dev.waybill.controlplane.engine.RevisionSpec;

/** Redeployments reuse builds. */
class RedeploymentTest extends LocalEngineScenario {

    @Test
    void redeploymentReusesTheBuild() throws Exception {
        // Given: the second revision replaced the first, and the repository is gone
        String first = fixture.repository.file("behaviour", "first").commit();
        String second = fixture.repository.file("behaviour", "second").commit();
        deploy(plan(1, first));
        RevisionSpec replacing = plan(2, second);
        deploy(replacing);
        fixture.stop(engine, deployment, replacing.revisionId());
        Files.move(directory.resolve("repository.git"), directory.resolve("away"));

        // When
        RevisionSpec again = plan(3, first);
        deploy(again);
        fixture.stop(engine, deployment, again.revisionId());

        // Then
        assertThat(fixture.get(port, "/version").body()).isEqualTo("first");
        assertThat(installations()).containsExactly("first", "second");
        assertThat(fixture.log).anyMatch(line -> line.contains("was built already with these commands and secrets"));
        assertThat(fixture.folder(replacing)).doesNotExist();
        assertThat(fixture.processes(replacing)).isEmpty();
        assertThat(fixture.build(replacing)).exists();
    }

    @Test
    void redeploysTheActiveRevision() throws Exception {
        // Given
        String commit = fixture.repository.file("behaviour", "well").commit();
        deploy(plan(1, commit));
        String before = fixture.get(port, "/pid").body();

        // When
        RevisionSpec again = plan(2, commit);
        deploy(again);
        fixture.stop(engine, deployment, again.revisionId());

        // Then
        assertThat(fixture.get(port, "/pid").body()).isNotEqualTo(before);
        assertThat(installations()).containsExactly("well");
    }

    @Test
    void differentSecretsCauseANewBuild() throws Exception {
        // Given
        String commit = fixture.repository.file("behaviour", "well").commit();
        deploy(plan(1, commit));

        // When
        RevisionSpec other = fixture.plan(deployment, 2, port, commit, "langgraph.json", install(),
                Map.of("SECRET", "another"));
        deploy(other);

        // Then
        assertThat(installations()).hasSize(2);
    }

    @Test
    @Tag("full")
    void retainsTheMostRecentUnusedBuilds() throws Exception {
        // Given
        RevisionSpec last = plan(1, fixture.repository.file("behaviour", "number 0").commit());
        deploy(last);

        // When
        for (int number = 2; number <= 5; number++) {
            last = plan(number, fixture.repository.file("behaviour", "number " + number).commit());
            deploy(last);
            fixture.stop(engine, deployment, last.revisionId());
        }

        // Then: the one in use and three unused ones
        assertThat(builds()).hasSize(4).contains(fixture.build(last));
        fixture.stop(engine, deployment);
        assertThat(fixture.settings.directory().resolve(deployment.toString())).doesNotExist();
    }

    @Test
    void removesIncompleteBuilds() throws Exception {
        // Given: a crash during the next build
        String commit = fixture.repository.file("behaviour", "well").commit();
        RevisionSpec plan = plan(1, commit);
        deploy(plan);
        Path half = fixture.build(plan).resolveSibling("0123456789abcdef0123456789abcdef");
        Files.createDirectories(half.resolve("repository"));

        // When
        fixture.stop(engine, deployment, plan.revisionId());

        // Then
        assertThat(builds()).containsExactly(fixture.build(plan));
    }

    private RevisionSpec plan(int number, String commit) {
        return fixture.plan(deployment, number, port, commit, "langgraph.json", install(), Map.of("SECRET", "hush-hush"));
    }

    private String install() {
        return "cat behaviour >> " + directory.resolve("installed") + "; echo >> " + directory.resolve("installed");
    }

    private List<String> installations() throws IOException {
        return Files.readAllLines(directory.resolve("installed"));
    }

    private List<Path> builds() throws IOException {
        try (Stream<Path> builds = Files.list(fixture.settings.directory().resolve(deployment.toString()).resolve("builds"))) {
            return builds.toList();
        }
    }

    private void deploy(RevisionSpec plan) {
        assertThat(fixture.prepare(engine, plan)).isInstanceOf(Done.class);
        assertThat(fixture.start(engine, plan)).isInstanceOf(Done.class);
    }
}
