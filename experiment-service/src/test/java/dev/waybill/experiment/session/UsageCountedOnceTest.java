package dev.waybill.experiment.session;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.TestRun;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;

/** If a run and its descendants have usage, only the deepest runs count; tokens and costs are evaluated separately. */
@QuarkusTest
class UsageCountedOnceTest {

    private static final long HUGE = (1L << 53) - 1;

    private final Account account = Accounts.account().create();

    @Test
    void agentThatRepeatsItsModelCallAddsNothing() {
        // Given
        TestRun agent = run(TestRun.root(), 30L, 15L, "0.5");
        TestRun chat = run(TestRun.below(TestRun.below(agent)), 30L, 15L, "0.5");

        // When
        JsonPath statistics = statisticsOf(agent, chat);

        // Then
        assertThat(statistics.getLong("prompt_tokens")).isEqualTo(30);
        assertThat(statistics.getLong("completion_tokens")).isEqualTo(15);
        assertThat(statistics.getLong("total_tokens")).isEqualTo(45);
        assertThat(cost(statistics)).isEqualByComparingTo("0.5");
        assertThat(as(account).get("/runs/" + agent.id()).then().extract().<Integer> path("total_tokens")).isEqualTo(45);
    }

    @Test
    void costsOfTheAgentCountIfDescendantsOnlyHaveTokens() {
        // Given
        TestRun agent = run(TestRun.root(), 30L, 15L, "0.5");
        TestRun chat = run(TestRun.below(agent), 10L, 5L, null);
        TestRun free = run(TestRun.below(agent), 0L, 0L, "0");

        // When
        JsonPath statistics = statisticsOf(agent, chat, free);

        // Then
        assertThat(statistics.getLong("total_tokens")).isEqualTo(15);
        assertThat(cost(statistics)).isEqualByComparingTo("0.5");
    }

    @Test
    void zeroUsageDoesNotHideTheParents() {
        TestRun agent = run(TestRun.root(), 30L, 15L, "0.5");

        assertThat(statisticsOf(agent, run(TestRun.below(agent), 0L, 0L, "0")).getLong("total_tokens")).isEqualTo(45);
    }

    @Test
    void sumsAreCappedAtTheMaximumLong() {
        // Given
        List<TestRun> runs = new ArrayList<>();
        for (int i = 0; i < 1_100; i++) {
            runs.add(TestRun.root().with("total_tokens", HUGE));
        }

        assertThat(statisticsOf(runs.toArray(TestRun[]::new)).getLong("total_tokens")).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void usageInRandomTreesIsCountedOnce() {
        // Given
        Random random = new Random(20261123);
        List<TestRun> runs = new ArrayList<>();
        Map<UUID, TestRun> parents = new HashMap<>();
        for (int i = 0; i < 400; i++) {
            TestRun parent = i < 10 ? null : runs.get(random.nextInt(i));
            TestRun run = parent == null ? TestRun.root() : TestRun.below(parent);
            if (parent != null) {
                parents.put(run.id(), parent);
            }
            runs.add(run(run, random.nextInt(3) == 0 ? random.nextLong(100) : null, null,
                    random.nextInt(3) == 0 ? "0." + random.nextInt(1_000) : null));
        }

        // When
        JsonPath statistics = statisticsOf(runs.toArray(TestRun[]::new));

        // Then
        assertThat(statistics.getLong("prompt_tokens")).isEqualTo(deepest(runs, parents, "prompt_tokens").longValueExact());
        assertThat(cost(statistics)).isEqualByComparingTo(deepest(runs, parents, "total_cost"));
    }

    private static BigDecimal deepest(List<TestRun> runs, Map<UUID, TestRun> parents, String member) {
        Map<UUID, BigDecimal> counted = new HashMap<>();
        runs.forEach(run -> counted.put(run.id(), amount(run, member)));
        for (TestRun run : runs) {
            if (amount(run, member).signum() > 0) {
                for (TestRun ancestor = parents.get(run.id()); ancestor != null; ancestor = parents.get(ancestor.id())) {
                    counted.put(ancestor.id(), BigDecimal.ZERO);
                }
            }
        }
        return counted.values().stream().reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static BigDecimal amount(TestRun run, String member) {
        return run.members().containsKey(member) ? new BigDecimal(String.valueOf(run.get(member))) : BigDecimal.ZERO;
    }

    private static TestRun run(TestRun run, Long prompt, Long completion, String cost) {
        if (prompt != null) {
            run.with("prompt_tokens", prompt);
        }
        if (completion != null) {
            run.with("completion_tokens", completion);
        }
        return cost == null ? run : run.with("total_cost", cost);
    }

    private static BigDecimal cost(JsonPath statistics) {
        return new BigDecimal(statistics.getString("total_cost"));
    }

    private JsonPath statisticsOf(TestRun... runs) {
        String session = "usage " + UUID.randomUUID();
        List<Map<String, Object>> bodies = new ArrayList<>();
        for (TestRun run : runs) {
            bodies.add(run.with("session_name", session).members());
        }
        as(account).contentType("application/json").body(Map.of("post", bodies)).post("/runs/batch").then().statusCode(202);
        JsonPath found = as(account).get("/sessions?include_stats=true&name=" + session).jsonPath();
        found.setRootPath("[0]");
        return found;
    }
}
