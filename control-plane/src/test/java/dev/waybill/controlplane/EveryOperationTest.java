package dev.waybill.controlplane;

import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.AccessChecks;
import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.Management;
import dev.waybill.common.testing.NegotiationChecks;
import dev.waybill.common.testing.OutageChecks;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;

/** Checks that apply to every operation. */
@QuarkusTest
class EveryOperationTest {

    private static final Set<String> OPEN = Set.of("POST /v1/integrations/repohost/webhook",
            "POST /v1/integrations/repohost/{integration_id}/webhook");
    private static final Map<String, String> VALUES = Map.of();

    private URI server;
    private String description;

    @BeforeEach
    void describe() {
        server = URI.create("http://localhost:" + RestAssured.port);
        description = Management.get("/q/openapi?format=json");
    }

    @Test
    void everyOperationChecksAcceptFirst() {
        Account account = Accounts.account().create();

        negotiation(account).assertAcceptIsReadAlike(account, "account", "deploy");
    }

    @Test
    void everyOperationChecksContentTypeAndEncoding() {
        negotiation(Accounts.account().create()).assertContentTypeIsReadAlike();
    }

    @Test
    void malformedQueryIdsAreNamedInViolations() {
        negotiation(Accounts.account().create()).assertMalformedIdsInQueriesAreNamed();
    }

    @ParameterizedTest
    @ValueSource(strings = { "no key", "an unknown key", "an expired key", "a revoked key" })
    void unknownCallerIsRejectedBeforeBodyIsRead(String caller) {
        Instant past = Instant.parse("2026-01-01T00:00:00Z");
        Map<String, String> credentials = switch (caller) {
            case "no key" -> Map.of();
            case "an expired key" -> Map.of("X-Api-Key", Accounts.account().expiresAt(past).create().key());
            case "a revoked key" -> Map.of("X-Api-Key", Accounts.account().revokedAt(past).create().key());
            default -> Map.of("X-Api-Key", "wb_00000000_" + "x".repeat(43));
        };

        checks().assertRejectsEverywhere(caller, credentials, 401);
    }

    @Test
    void connectionSurvivesBodyRejection() {
        checks().assertConnectionSurvivesRejection(server);
    }

    @Test
    void foreignWorkspaceIsRejectedBeforeBodyIsRead() {
        String foreign = Accounts.account().create().workspaceId().toString();
        String bound = Accounts.account().create().key();
        String wide = Accounts.account().organizationWide().create().key();

        checks().assertRejectsEverywhere("a key of another workspace", Map.of("X-Api-Key", bound, "X-Tenant-Id", foreign), 403);
        checks().assertRejectsEverywhere("a key of another organization", Map.of("X-Api-Key", wide, "X-Tenant-Id", foreign),
                403);
        checks().assertRejectsEverywhere("a key with a workspace that is none",
                Map.of("X-Api-Key", wide, "X-Tenant-Id", UUID.randomUUID().toString()), 403);
    }

    @Test
    void missingWorkspaceIsRejectedBeforeBodyIsRead() {
        String wide = Accounts.account().organizationWide().create().key();

        checks().assertRejectionComesFirst("a key of the whole organization", Map.of("X-Api-Key", wide));
    }

    @Test
    void missingRoleIsRejectedBeforeBodyIsRead() {
        String member = Accounts.account().role("member").create().key();

        checks().assertRejectionComesFirst("a member's key", Map.of("X-Api-Key", member));
    }

    @Test
    void everyOperationReturns503WhenDatabaseIsStopped() {
        Account known = Accounts.account().create();
        RestAssured.given().header("X-Api-Key", known.key()).get("/v1/whoami").then().statusCode(200);

        new OutageChecks(server, description, VALUES, OPEN, Set.of("GET /v1/whoami")).assertEveryOperationIsUnavailable(
                known.key(),
                Accounts.account().create().key());
    }

    private NegotiationChecks negotiation(Account account) {
        return new NegotiationChecks(server, description, account.key(), VALUES)
                .withKey("/v1/organizations", ControlPlaneSettings.OPERATOR_KEY);
    }

    private AccessChecks checks() {
        return new AccessChecks(server, description, VALUES, OPEN);
    }
}
