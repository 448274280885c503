package dev.waybill.experiment;

import static io.restassured.RestAssured.given;

import dev.waybill.common.testing.Account;
import io.restassured.specification.RequestSpecification;

/** Callers of the service under test. */
public final class ApiClient {

    private ApiClient() {
    }

    /** Somebody with a key. */
    public static RequestSpecification as(Account account) {
        return given().header("X-Api-Key", account.key());
    }
}
