package dev.waybill.experiment;

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

/** Checks that apply to every operation: content negotiation, authentication and database outages. */
@QuarkusTest
class EveryOperationTest {

    private static final Set<String> PUBLIC_OPERATIONS = Set.of("GET /api/v1/info", "GET /api/v1/public/attachments/{token}");
    private static final Map<String, String> VALUES = Map.of();

    private URI server;
    private String description;

    @BeforeEach
    void describe() {
        server = URI.create("http://localhost:" + RestAssured.port);
        description = Management.get("/q/openapi?format=json");
    }

    @Test
    void acceptHeaderIsCheckedBeforeProcessing() {
        Account account = Accounts.account().create();

        new NegotiationChecks(server, description, account.key(), VALUES).assertAcceptIsReadAlike(account, "trace");
    }

    @Test
    void contentTypeAndEncodingAreChecked() {
        new NegotiationChecks(server, description, Accounts.account().create().key(), VALUES).assertContentTypeIsReadAlike();
    }

    @Test
    void malformedIdsInQueryParametersAreReported() {
        new NegotiationChecks(server, description, Accounts.account().create().key(), VALUES)
                .assertMalformedIdsInQueriesAreNamed();
    }

    @ParameterizedTest
    @ValueSource(strings = { "no key", "an unknown key", "an expired key", "a revoked key" })
    void unknownCallersAreRejectedBeforeBodiesAreRead(String caller) {
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
    void connectionSurvivesTheRejectionOfABody() {
        checks().assertConnectionSurvivesRejection(server);
    }

    @Test
    void foreignWorkspaceIsRejectedBeforeBodiesAreRead() {
        String foreign = Accounts.account().create().workspaceId().toString();
        String bound = Accounts.account().create().key();
        String organizationWide = Accounts.account().organizationWide().create().key();

        checks().assertRejectsEverywhere("a key of another workspace", Map.of("X-Api-Key", bound, "X-Tenant-Id", foreign), 403);
        checks().assertRejectsEverywhere("a key of another organization",
                Map.of("X-Api-Key", organizationWide, "X-Tenant-Id", foreign),
                403);
        checks().assertRejectsEverywhere("a key with a workspace that is none",
                Map.of("X-Api-Key", organizationWide, "X-Tenant-Id", UUID.randomUUID().toString()), 403);
    }

    @Test
    void missingWorkspaceIsRejectedBeforeBodiesAreRead() {
        String organizationWide = Accounts.account().organizationWide().create().key();

        checks().assertRejectionComesFirst("a key of the whole organization", Map.of("X-Api-Key", organizationWide));
    }

    @Test
    void applicationKeysAreRejectedBeforeBodiesAreRead() {
        String application = Accounts.account().role("application").create().key();

        checks().assertRejectionComesFirst("an application's key", Map.of("X-Api-Key", application));
    }

    @Test
    void everyOperationReturns503WithoutDatabase() {
        Account known = Accounts.account().create();
        RestAssured.given().header("X-Api-Key", known.key()).get("/api/v1/sessions").then().statusCode(200);

        new OutageChecks(server, description, VALUES, PUBLIC_OPERATIONS, Set.of("POST /api/v1/otel/v1/traces"))
                .assertEveryOperationIsUnavailable(known.key(),
                        Accounts.account().create().key());
    }

    private AccessChecks checks() {
        return new AccessChecks(server, description, VALUES, PUBLIC_OPERATIONS);
    }
}
