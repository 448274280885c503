package dev.waybill.controlplane;

import java.net.URI;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.HttpAttacks;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;

@QuarkusTest
class HttpAttacksTest {

    @Test
    void hostileRequestsAreRejectedAndNextClientIsServed() {
        new HttpAttacks(URI.create("http://127.0.0.1:" + RestAssured.port)).assertAllRejected("/v1/workspaces",
                Accounts.account().organizationWide().create().key());
    }
}
