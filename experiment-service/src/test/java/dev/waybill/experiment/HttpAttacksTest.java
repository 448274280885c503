package dev.waybill.experiment;

import java.net.URI;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.HttpAttacks;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;

@QuarkusTest
class HttpAttacksTest {

    @Test
    void malformedHttpIsRejectedAndTheNextClientIsServed() {
        new HttpAttacks(URI.create("http://127.0.0.1:" + RestAssured.port)).assertAllRejected("/runs/batch",
                Accounts.account().create().key());
    }
}
