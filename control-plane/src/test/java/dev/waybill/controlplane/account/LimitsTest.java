package dev.waybill.controlplane.account;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import dev.waybill.common.api.account.Plan;
import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.HttpResult;
import dev.waybill.controlplane.account.WorkspaceLimits.CountLimit;
import dev.waybill.controlplane.deployment.Deployments;
import io.quarkus.test.junit.QuarkusTest;

/** Limits of workspaces by plan and configuration (contract.md "Decided on 2026-11-23"). */
@QuarkusTest
class LimitsTest {

    private static final String INSTALL = "/v1/integrations/repohost/install";
    private static final String KEYS = "/v1/api-keys";

    private final Account account = Accounts.account().plan("free").create();

    @Inject
    WorkspaceLimitConfig config;

    @ParameterizedTest
    @EnumSource
    void concurrentCreationsStopAtLimit(CountLimit resource) throws Exception {
        // Given
        int limit = limit(resource);
        int present = resource == CountLimit.API_KEYS ? 1 : 0;

        // When
        List<HttpResult> responses;
        try (ExecutorService callers = Executors.newFixedThreadPool(8)) {
            responses = callers.invokeAll(IntStream.range(0, limit + 8)
                    .mapToObj(i -> (Callable<HttpResult>) () -> create(resource, i)).toList())
                    .stream().map(Future::resultNow).toList();
        }

        // Then
        assertThat(responses.stream().filter(response -> response.status() == 201)).hasSize(limit - present);
        assertThat(responses.stream().filter(response -> response.status() != 201)).isNotEmpty().allSatisfy(rejected -> {
            assertThat(rejected.status()).as(rejected.body()).isEqualTo(403);
            assertThat(rejected.text("type")).endsWith("limit_reached");
            assertThat(rejected.text("limit")).isEqualTo(resource.name().toLowerCase(Locale.ROOT));
            assertThat(rejected.value("limit_value")).isEqualTo(limit);
            assertThat(rejected.detail()).contains("plan free").contains("at most " + limit);
        });
        assertThat(stored(resource)).isEqualTo(limit);
    }

    @ParameterizedTest
    @EnumSource
    void deletionFreesCapacity(CountLimit resource) {
        // Given
        UUID last = null;
        for (int i = resource == CountLimit.API_KEYS ? 1 : 0; i < limit(resource); i++) {
            last = create(resource, i).id();
        }
        HttpResult rejected = create(resource, 1000);

        // When
        HttpResult deleted = as(account).delete(switch (resource) {
            case DEPLOYMENTS -> Deployments.PATH;
            case INTEGRATIONS -> "/v1/integrations/repohost";
            case API_KEYS -> KEYS;
        } + "/" + last);

        // Then
        assertThat(rejected.status()).isEqualTo(403);
        assertThat(deleted.status()).isEqualTo(204);
        assertThat(create(resource, 1001).status()).isEqualTo(201);
    }

    @Test
    void changedPlanAppliesImmediately() {
        // Given
        for (int i = 0; i < config.plans().get(Plan.FREE).deployments(); i++) {
            create(CountLimit.DEPLOYMENTS, i);
        }
        HttpResult rejected = create(CountLimit.DEPLOYMENTS, 1000);

        // When
        DatabaseInspector
                .update("UPDATE account.organizations SET plan = 'plus' WHERE id = '" + account.organizationId() + "'");

        // Then
        assertThat(rejected.status()).isEqualTo(403);
        assertThat(create(CountLimit.DEPLOYMENTS, 1001).status()).isEqualTo(201);
    }

    @Test
    void organizationKeysAreLimited() {
        // Given
        Account admin = Accounts.account().plan("free").organizationWide().create();
        for (int i = 1; i < config.plans().get(Plan.FREE).apiKeys(); i++) {
            assertThat(as(admin).post(KEYS, "{\"name\": \"wide\"}").status()).isEqualTo(201);
        }

        // When
        HttpResult wide = as(admin).post(KEYS, "{\"name\": \"wide\"}");
        HttpResult ofItsWorkspace = as(admin).post(KEYS,
                "{\"name\": \"bound\", \"workspace_id\": \"%s\"}".formatted(admin.workspaceId()));

        // Then
        assertThat(wide.status()).isEqualTo(403);
        assertThat(ofItsWorkspace.status()).isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource({ "min_scale, replicas, 3, 2", "max_scale, replicas, 1000, 2", "cpu, cpu, 2.5, 2", "cpu_limit, cpu, 256, 2",
            "memory_mb, memory_mb, 4097, 4096", "memory_limit_mb, memory_mb, 1048576, 4096" })
    void resourcesAboveLimitAreRejected(String member, String limit, String requested, int value) {
        // Given
        UUID id = Deployments.create(account, Deployments.newName()).id();
        String spec = spec(member, requested);

        // When
        HttpResult created = as(account).post(Deployments.PATH, withSpec(spec));
        HttpResult changed = as(account).patch(Deployments.PATH + "/" + id, "{\"source_config\": " + spec + "}");
        HttpResult revised = as(account).post(Deployments.PATH + "/" + id + "/revisions", "{\"source_config\": " + spec + "}");

        // Then
        assertThat(List.of(created, changed, revised)).allSatisfy(rejected -> {
            assertThat(rejected.status()).as(rejected.body()).isEqualTo(403);
            assertThat(rejected.text("limit")).isEqualTo(limit);
            assertThat(((Number) rejected.value("limit_value")).intValue()).isEqualTo(value);
            assertThat(rejected.detail()).contains("plan free").contains("at most " + value);
        });
        assertThat(stored(CountLimit.DEPLOYMENTS)).isEqualTo(1);
    }

    @Test
    void resourcesWithinLimitAreAccepted() {
        // When
        HttpResult created = as(account).post(Deployments.PATH, withSpec("""
                {"repo_url": "%s", "resource_spec": {"min_scale": 1, "max_scale": 2, "cpu": 1, "cpu_limit": 2, "memory_mb": 512,
                 "memory_limit_mb": 4096}}""".formatted(Deployments.REPOSITORY)));

        // Then
        assertThat(created.status()).as(created.body()).isEqualTo(201);
    }

    @Test
    void downgradedPlanAllowsOtherChanges() {
        // Given
        Account plus = Accounts.account().plan("plus").create();
        String spec = spec("max_scale", "10");
        UUID id = as(plus).post(Deployments.PATH, withSpec(spec)).id();
        DatabaseInspector.update("UPDATE account.organizations SET plan = 'free' WHERE id = '" + plus.organizationId() + "'");

        // When
        HttpResult repeated = as(plus).patch(Deployments.PATH + "/" + id,
                "{\"source_config\": " + spec + ", \"source_revision_config\": {\"repo_ref\": \"other\"}}");
        HttpResult raised = as(plus).patch(Deployments.PATH + "/" + id, "{\"source_config\": " + spec("max_scale", "9") + "}");

        // Then
        assertThat(repeated.status()).as(repeated.body()).isEqualTo(200);
        assertThat(raised.status()).isEqualTo(403);
    }

    @Test
    void redeploymentAboveLimitIsRejected() {
        // Given
        Account plus = Accounts.account().plan("plus").create();
        HttpResult created = as(plus).post(Deployments.PATH, withSpec(spec("max_scale", "10")));
        as(plus).patch(Deployments.PATH + "/" + created.id(), "{\"source_config\": " + spec("max_scale", "2") + "}");
        DatabaseInspector.update("UPDATE account.organizations SET plan = 'free' WHERE id = '" + plus.organizationId() + "'");

        // When
        HttpResult redeployed = as(plus)
                .post(Deployments.revision(created.id(), Deployments.latest(created)) + "/redeploy", "{}");

        // Then
        assertThat(redeployed.status()).as(redeployed.body()).isEqualTo(403);
        assertThat(redeployed.text("limit")).isEqualTo("replicas");
    }

    @Test
    void documentedLimitsAreTheDefaults() throws IOException {
        // Given
        String reference = Files.readString(Path.of(System.getProperty("waybill.root"), "docs", "operations.md"));
        Pattern row = Pattern.compile("\\| `waybill\\.limits\\.<plan>\\.([a-z-]+)` \\| `([0-9, ]+)` \\|");

        // When
        Map<String, List<String>> documented = row.matcher(reference).results()
                .collect(Collectors.toMap(found -> found.group(1), found -> List.of(found.group(2).split(", "))));

        // Then
        assertThat(documented).hasSize(6).allSatisfy((limit, defaults) -> assertThat(defaults)
                .isEqualTo(Stream.of(Plan.values())
                        .map(plan -> ConfigProvider.getConfig().getValue("waybill.limits." + plan + "." + limit, String.class))
                        .toList()));
    }

    private static String spec(String member, String value) {
        return "{\"repo_url\": \"%s\", \"resource_spec\": {\"%s\": %s}}".formatted(Deployments.REPOSITORY, member, value);
    }

    private static String withSpec(String config) {
        return """
                {"name": "%s", "source": "repohost", "source_config": %s, "source_revision_config": {"repo_ref": "main"}}"""
                .formatted(Deployments.newName(), config);
    }

    private int limit(CountLimit resource) {
        return switch (resource) {
            case DEPLOYMENTS -> config.plans().get(Plan.FREE).deployments();
            case INTEGRATIONS -> config.plans().get(Plan.FREE).integrations();
            case API_KEYS -> config.plans().get(Plan.FREE).apiKeys();
        };
    }

    private HttpResult create(CountLimit resource, int number) {
        return switch (resource) {
            case DEPLOYMENTS -> as(account).post(Deployments.PATH, Deployments.body(Deployments.newName()));
            case INTEGRATIONS -> as(account).post(INSTALL, "{\"installation_id\": " + number
                    + ", \"name\": \"acme\", \"base_url\": \"https://git.example.com/limits\"}");
            case API_KEYS -> as(account).post(KEYS,
                    "{\"name\": \"CI\", \"workspace_id\": \"%s\"}".formatted(account.workspaceId()));
        };
    }

    private long stored(CountLimit resource) {
        return DatabaseInspector.count(switch (resource) {
            case DEPLOYMENTS -> "SELECT count(*) FROM deploy.deployments WHERE tenant_id = '";
            case INTEGRATIONS -> "SELECT count(*) FROM deploy.integrations WHERE tenant_id = '";
            case API_KEYS -> "SELECT count(*) FROM account.api_keys WHERE deployment_id IS NULL AND workspace_id = '";
        } + account.workspaceId() + "'");
    }
}
