package dev.waybill.controlplane.rollout;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.HttpResult;
import dev.waybill.controlplane.deployment.Deployments;
import dev.waybill.controlplane.engine.ApplicationChanged;
import dev.waybill.controlplane.engine.InMemoryEngine;
import dev.waybill.controlplane.engine.InMemoryEngine.Script;
import dev.waybill.controlplane.engine.Observation;
import dev.waybill.controlplane.engine.Outcome;
import dev.waybill.controlplane.rollout.rule.RolloutConfig;
import io.quarkus.test.junit.QuarkusTest;

/** Many slow builds of one workspace (docs/decisions/0061). */
@QuarkusTest
class FairnessTest {

    private static final int MANY = 20;

    @Inject
    InMemoryEngine engine;

    @Inject
    Event<ApplicationChanged> changes;

    @Inject
    RolloutConfig config;

    @Test
    void aWorkspaceWithManySlowBuildsHoldsUpNeitherOthersNorItsOwnApplications() {
        // Given
        Account greedy = Deployments.account();
        String runningName = Deployments.newName();
        HttpResult running = Deployments.deployed(greedy, runningName);
        List<HttpResult> slow = IntStream.range(0, MANY)
                .mapToObj(i -> {
                    String name = Deployments.newName();
                    engine.script(name).prepare(Script.NEVER);
                    return Deployments.create(greedy, name);
                })
                .toList();
        Patience.await().untilAsserted(() -> assertThat(begun(slow)).isEqualTo(config.concurrentPerWorkspace()));

        // When
        Account modest = Deployments.account();
        Deployments.deployed(modest, Deployments.newName());
        engine.script(runningName).observation(new Observation.Failing("It exited with 1."));
        changes.fire(new ApplicationChanged(greedy.workspaceId(), running.id()));

        // Then
        Deployments.awaitStatus(greedy, running.id(), Deployments.latest(running), "UNKNOWN");
        assertThat(begun(slow)).isEqualTo(config.concurrentPerWorkspace()).isLessThan(MANY);

        // When, then: the others have their turns as places become free
        slow.forEach(one -> engine.script(one.text("name")).done());
        List<UUID> stuck = slow.stream().filter(this::isBegun).map(HttpResult::id).toList();
        stuck.forEach(id -> as(greedy).delete(Deployments.PATH + "/" + id));
        slow.stream().filter(one -> !stuck.contains(one.id()))
                .forEach(one -> Deployments.awaitStatus(greedy, one.id(), Deployments.latest(one), "DEPLOYED"));
    }

    @Test
    void revisionsThatWaitForHealthHoldUpNobody() {
        // Given: more than may be worked on at once
        Account account = Deployments.account();
        List<HttpResult> stuck = IntStream.range(0, MANY)
                .mapToObj(i -> {
                    String name = Deployments.newName();
                    engine.script(name).start(new Outcome.InProgress("It is not healthy yet.", Duration.ofSeconds(1)));
                    return Deployments.create(account, name);
                })
                .toList();
        stuck.forEach(one -> engine.awaitBegun("start", Deployments.latest(one)));

        // When
        HttpResult next = Deployments.deployed(account, Deployments.newName());

        // Then
        assertThat(Deployments.get(account, next.id()).text("status")).isEqualTo("READY");
        stuck.forEach(one -> as(account).delete(Deployments.PATH + "/" + one.id()));
    }

    private long begun(List<HttpResult> slow) {
        return slow.stream().filter(this::isBegun).count();
    }

    private boolean isBegun(HttpResult deployment) {
        return engine.count("prepare", Deployments.latest(deployment)) > 0;
    }
}
