package dev.waybill.export;

import static io.restassured.RestAssured.given;

import java.util.UUID;

import dev.waybill.common.testing.Account;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;

/** A client of the service with an API key. */
public record Client(Account account) {

    public static final String EXPORTS = "/api/v1/bulk-exports";

    public static Client as(Account account) {
        return new Client(account);
    }

    public Response get(String path) {
        return request().get(path);
    }

    public Response post(String path, String body) {
        return request().contentType(ContentType.JSON).body(body).post(path);
    }

    public Response post(String path) {
        return request().post(path);
    }

    public Response patch(String path, String body) {
        return request().contentType(ContentType.JSON).body(body).patch(path);
    }

    public Response post(String path, String body, String header, String value) {
        return request().header(header, value).contentType(ContentType.JSON).body(body).post(path);
    }

    public Response delete(String path) {
        return request().delete(path);
    }

    /** Returns the export. */
    public Response export(UUID id) {
        return get(EXPORTS + "/" + id);
    }

    /** Returns the export's runs. */
    public Response runs(UUID exportId) {
        return get(EXPORTS + "/" + exportId + "/runs");
    }

    /** Cancels the export. */
    public Response cancel(UUID exportId) {
        return patch(EXPORTS + "/" + exportId, "{\"status\": \"Cancelled\"}");
    }

    private RequestSpecification request() {
        return given().header("X-Api-Key", account.key());
    }
}
