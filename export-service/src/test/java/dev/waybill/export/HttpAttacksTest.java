package dev.waybill.export;

import java.net.URI;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.HttpAttacks;
import io.restassured.RestAssured;

@ExportServiceTest
class HttpAttacksTest {

    @Test
    void hostileRequestsAreRejectedAndServiceContinues() {
        new HttpAttacks(URI.create("http://127.0.0.1:" + RestAssured.port)).assertAllRejected("/api/v1/bulk-exports",
                Accounts.account().create().key());
    }
}
