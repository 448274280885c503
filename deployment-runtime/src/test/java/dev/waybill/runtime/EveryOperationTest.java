package dev.waybill.runtime;

import java.net.URI;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.AccessChecks;
import dev.waybill.common.testing.Management;
import dev.waybill.common.testing.NegotiationChecks;
import io.restassured.RestAssured;

/** Behaviour that all operations share. */
@RuntimeTest
class EveryOperationTest {

    private static final Map<String, String> VALUES = Map.of("assistant_id", "nobody");

    private URI server;
    private String description;

    @BeforeEach
    void describe() {
        server = URI.create("http://localhost:" + RestAssured.port);
        description = Management.get("/q/openapi?format=json");
    }

    @Test
    void acceptIsCheckedEverywhere() {
        new NegotiationChecks(server, description, RuntimeSettings.KEY, VALUES).assertAcceptIsReadAlike();
    }

    @Test
    void contentTypeAndEncodingAreCheckedEverywhere() {
        new NegotiationChecks(server, description, RuntimeSettings.KEY, VALUES).assertContentTypeIsReadAlike();
    }

    @Test
    void unknownCallersAreRejectedBeforeBodiesAreRead() {
        AccessChecks checks = new AccessChecks(server, description, VALUES, Set.of("GET /ok", "GET /info"));

        checks.assertRejectsEverywhere("no key", Map.of(), 401);
        checks.assertRejectsEverywhere("an unknown key", Map.of("X-Api-Key", "nobody-s"), 401);
        checks.assertConnectionSurvivesRejection(server);
    }
}
