package dev.waybill.runtime;

import java.net.URI;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.HttpAttacks;
import io.restassured.RestAssured;

@RuntimeTest
class HttpAttacksTest {

    @Test
    void hostileRequestsAreRejectedAndServiceContinues() {
        new HttpAttacks(URI.create("http://127.0.0.1:" + RestAssured.port)).assertAllRejected("/runs/stream",
                RuntimeSettings.KEY);
    }
}
