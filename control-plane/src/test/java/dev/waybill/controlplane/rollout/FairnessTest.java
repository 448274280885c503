package dev.waybill.controlplane.rollout;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.HttpResult;
import dev.waybill.controlplane.deployment.Deployments;
import dev.waybill.controlplane.engine.Engine.ApplicationChanged;
import dev.waybill.controlplane.engine.Engine.Observation;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.InMemoryEngine;
import dev.waybill.controlplane.engine.InMemoryEngine.Script;
import io.quarkus.test.junit.QuarkusTest;

/** Fairness towards other workspaces during many slow builds of one (docs/decisions/0061). */
@QuarkusTest
@Tag("full")
class FairnessTest {

    private static final int COUNT = 20;

    @Inject
    InMemoryEngine engine;

    @Inject
    Event<ApplicationChanged> changes;

    @Inject
    RolloutConfig config;

    @Test
    void slowBuildsBlockNeitherOthersNorMaintenance() {
        // Given
        Account greedy = Deployments.account();
        String runningName = Deployments.newName();
        HttpResult running = Deployments.deployed(greedy, runningName);
        List<HttpResult> slow = IntStream.range(0, COUNT)
                .mapToObj(i -> {
                    String name = Deployments.newName();
                    engine.script(name).prepare(Script.NEVER);
                    return Deployments.create(greedy, name);
                })
                .toList();
        Patience.await().untilAsserted(() -> assertThat(started(slow)).isEqualTo(config.maxConcurrentPerWorkspace()));

        // When
        Account modest = Deployments.account();
        Deployments.deployed(modest, Deployments.newName());
        engine.script(runningName).observation(new Observation.Failing("It exited with 1."));
        changes.fire(new ApplicationChanged(greedy.workspaceId(), running.id()));

        // Then
        Deployments.awaitStatus(greedy, running.id(), Deployments.latest(running), "UNKNOWN");
        assertThat(started(slow)).isEqualTo(config.maxConcurrentPerWorkspace()).isLessThan(COUNT);

        // When, then: the waiting builds start as slots become free
        slow.forEach(one -> engine.script(one.text("name")).done());
        List<UUID> stuck = slow.stream().filter(this::isStarted).map(HttpResult::id).toList();
        stuck.forEach(id -> as(greedy).delete(Deployments.PATH + "/" + id));
        slow.stream().filter(one -> !stuck.contains(one.id()))
                .forEach(one -> Deployments.awaitStatus(greedy, one.id(), Deployments.latest(one), "DEPLOYED"));
    }

    @Test
    void revisionsWaitingForHealthBlockNoOthers() {
        // Given: more revisions than rollout slots
        Account account = Deployments.account();
        List<HttpResult> stuck = IntStream.range(0, COUNT)
                .mapToObj(i -> {
                    String name = Deployments.newName();
                    engine.script(name).start(new Outcome.InProgress("It is not healthy yet.", Duration.ofSeconds(1)));
                    return Deployments.create(account, name);
                })
                .toList();
        stuck.forEach(one -> engine.awaitStarted("start", Deployments.latest(one)));

        // When
        HttpResult next = Deployments.deployed(account, Deployments.newName());

        // Then
        assertThat(Deployments.get(account, next.id()).text("status")).isEqualTo("READY");
        stuck.forEach(one -> as(account).delete(Deployments.PATH + "/" + one.id()));
    }

    private long started(List<HttpResult> slow) {
        return slow.stream().filter(this::isStarted).count();
    }

    private boolean isStarted(HttpResult deployment) {
        return engine.count("prepare", Deployments.latest(deployment)) > 0;
    }
}
