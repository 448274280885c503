package dev.waybill.export;

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
import io.restassured.RestAssured;

/** Tests the behaviour that all operations share. */
@ExportServiceTest
class EveryOperationTest {

    private static final Set<String> OPEN = Set.of();
    private static final Map<String, String> VALUES = Map.of();

    private URI server;
    private String description;

    @BeforeEach
    void describe() {
        server = URI.create("http://localhost:" + RestAssured.port);
        description = Management.get("/q/openapi?format=json");
    }

    @Test
    void acceptIsCheckedBeforeAnyChange() {
        Account account = Accounts.account().create();

        new NegotiationChecks(server, description, account.key(), VALUES).assertAcceptIsReadAlike(account, "export");
    }

    @Test
    void contentTypeAndEncodingAreCheckedEverywhere() {
        new NegotiationChecks(server, description, Accounts.account().create().key(), VALUES).assertContentTypeIsReadAlike();
    }

    @Test
    void malformedQueryIdsAreReported() {
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
    void connectionSurvivesARejectedBody() {
        checks().assertConnectionSurvivesRejection(server);
    }

    @Test
    void foreignWorkspaceIsRejectedBeforeBodiesAreRead() {
        String foreign = Accounts.account().create().workspaceId().toString();
        String bound = Accounts.account().create().key();
        String wide = Accounts.account().organizationWide().create().key();

        checks().assertRejectsEverywhere("a key of another workspace", Map.of("X-Api-Key", bound, "X-Tenant-Id", foreign), 403);
        checks().assertRejectsEverywhere("a key of another organization", Map.of("X-Api-Key", wide, "X-Tenant-Id", foreign),
                403);
        checks().assertRejectsEverywhere("a key with an unknown workspace",
                Map.of("X-Api-Key", wide, "X-Tenant-Id", UUID.randomUUID().toString()), 403);
    }

    @Test
    void missingWorkspaceIsRejectedBeforeBodiesAreRead() {
        String wide = Accounts.account().organizationWide().create().key();

        checks().assertRejectionComesFirst("a key of the whole organization", Map.of("X-Api-Key", wide));
    }

    @Test
    void missingRoleIsRejectedBeforeBodiesAreRead() {
        String member = Accounts.account().role("member").create().key();

        checks().assertRejectionComesFirst("a member's key", Map.of("X-Api-Key", member));
    }

    @Test
    void planWithoutExportIsRejectedBeforeBodiesAreRead() {
        String free = Accounts.account().plan("free").create().key();

        checks().assertRejectsEverywhere("a key of the plan free", Map.of("X-Api-Key", free), 403);
    }

    @Test
    void stoppedDatabaseMakesEveryOperationUnavailable() {
        Account known = Accounts.account().create();
        RestAssured.given().header("X-Api-Key", known.key()).get("/api/v1/bulk-exports").then().statusCode(200);

        new OutageChecks(server, description, VALUES, OPEN, Set.of()).assertEveryOperationIsUnavailable(known.key(),
                Accounts.account().create().key());
    }

    private AccessChecks checks() {
        return new AccessChecks(server, description, VALUES, OPEN);
    }
}
