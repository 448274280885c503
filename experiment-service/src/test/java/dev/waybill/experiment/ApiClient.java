package dev.waybill.experiment;

import static io.restassured.RestAssured.given;

import dev.waybill.common.testing.Account;
import io.restassured.specification.RequestSpecification;

/** Creates requests to the service under test. */
public final class ApiClient {

    private ApiClient() {
    }

    /** Returns a request with the account's API key. */
    public static RequestSpecification as(Account account) {
        return given().header("X-Api-Key", account.key());
    }
}
