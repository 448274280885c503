package dev.waybill.common.testing;

import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.restassured.RestAssured;

/** Tests content negotiation, authentication and database outages for every described operation of a service. */
public abstract class EveryOperationContract {

    private static final Instant PAST = Instant.parse("2026-01-01T00:00:00Z");

    private final Set<String> publicOperations;
    private final Set<String> withoutStatements;
    private final String[] schemas;

    protected URI server;
    protected String description;

    /**
     * @param publicOperations operations without authentication, as {@code METHOD /path}
     * @param withoutStatements operations that need the database only to look up the key
     * @param schemas database schemas that a rejected request must not change
     */
    protected EveryOperationContract(Set<String> publicOperations, Set<String> withoutStatements, String... schemas) {
        this.publicOperations = publicOperations;
        this.withoutStatements = withoutStatements;
        this.schemas = schemas;
    }

    /** Returns the path of an operation that succeeds with any key; its call caches the key. */
    protected abstract String authenticatedPath();

    /** Returns the checks of content negotiation, with the keys that the service needs. */
    protected NegotiationChecks negotiation(Account account) {
        return new NegotiationChecks(server, description, account.key(), Map.of());
    }

    protected AccessChecks access() {
        return new AccessChecks(server, description, Map.of(), publicOperations);
    }

    @BeforeEach
    void describe() {
        server = URI.create("http://localhost:" + RestAssured.port);
        description = Management.get("/q/openapi?format=json");
    }

    @Test
    void acceptIsCheckedBeforeAnyChange() {
        Account account = Accounts.account().create();

        negotiation(account).assertAcceptIsReadAlike(account, schemas);
    }

    @Test
    void contentTypeAndEncodingAreChecked() {
        negotiation(Accounts.account().create()).assertContentTypeIsReadAlike();
    }

    @Test
    void malformedQueryIdsAreReported() {
        negotiation(Accounts.account().create()).assertMalformedIdsInQueriesAreNamed();
    }

    @Test
    void listsRejectUnknownParameters() {
        negotiation(Accounts.account().create()).assertUnknownParametersOfListsAreNamed();
    }

    @ParameterizedTest
    @ValueSource(strings = { "no key", "an unknown key", "an expired key", "a revoked key" })
    void unknownCallersAreRejectedBeforeBodiesAreRead(String caller) {
        Map<String, String> credentials = switch (caller) {
            case "no key" -> Map.of();
            case "an expired key" -> Map.of("X-Api-Key", Accounts.account().expiresAt(PAST).create().key());
            case "a revoked key" -> Map.of("X-Api-Key", Accounts.account().revokedAt(PAST).create().key());
            default -> Map.of("X-Api-Key", "wb_00000000_" + "x".repeat(43));
        };

        access().assertRejectsEverywhere(caller, credentials, 401);
    }

    @Test
    void connectionSurvivesARejectedBody() {
        access().assertConnectionSurvivesRejection(server);
    }

    @Test
    void foreignWorkspaceIsRejectedBeforeBodiesAreRead() {
        String foreign = Accounts.account().create().workspaceId().toString();
        String bound = Accounts.account().create().key();
        String organizationWide = Accounts.account().organizationWide().create().key();

        access().assertRejectsEverywhere("a key of another workspace", key(bound, foreign), 403);
        access().assertRejectsEverywhere("a key of another organization", key(organizationWide, foreign), 403);
        access().assertRejectsEverywhere("a key with an unknown workspace",
                key(organizationWide, UUID.randomUUID().toString()), 403);
    }

    @Test
    void missingWorkspaceIsRejectedBeforeBodiesAreRead() {
        String organizationWide = Accounts.account().organizationWide().create().key();

        access().assertRejectionComesFirst("a key of the whole organization", Map.of("X-Api-Key", organizationWide));
    }

    @Test
    void everyOperationReturns503WithoutDatabase() {
        Account known = Accounts.account().create();
        RestAssured.given().header("X-Api-Key", known.key()).get(authenticatedPath()).then().statusCode(200);

        new OutageChecks(server, description, Map.of(), publicOperations, withoutStatements)
                .assertEveryOperationIsUnavailable(known.key(), Accounts.account().create().key());
    }

    private static Map<String, String> key(String key, String workspaceId) {
        return Map.of("X-Api-Key", key, "X-Tenant-Id", workspaceId);
    }
}
