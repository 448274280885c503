package dev.waybill.controlplane;

import static io.restassured.RestAssured.given;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.testing.Account;
import io.restassured.http.ContentType;
import io.restassured.specification.RequestSpecification;

/** HTTP client of the service, with a key or a token and optional headers. */
public record ApiClient(RequestSpecification request) {

    public static ApiClient as(Account account) {
        return withKey(account.key());
    }

    public static ApiClient withKey(String key) {
        return new ApiClient(given().header("X-Api-Key", key));
    }

    public static ApiClient withToken(String token) {
        return new ApiClient(given().header("Authorization", "Bearer " + token));
    }

    public static ApiClient operator() {
        return withKey(ControlPlaneSettings.OPERATOR_KEY);
    }

    public static ApiClient anonymous() {
        return new ApiClient(given());
    }

    public ApiClient header(String name, Object value) {
        request.header(name, value);
        return this;
    }

    public ApiClient in(@Nullable UUID workspaceId) {
        return workspaceId == null ? this : header("X-Tenant-Id", workspaceId);
    }

    public HttpResult get(String path) {
        return send("GET", path);
    }

    public HttpResult delete(String path) {
        return send("DELETE", path);
    }

    public HttpResult post(String path, String body) {
        request.contentType(ContentType.JSON).body(body);
        return send("POST", path);
    }

    public HttpResult patch(String path, String body) {
        request.contentType(ContentType.JSON).body(body);
        return send("PATCH", path);
    }

    public HttpResult send(String method, String path) {
        return HttpResult.of(request.urlEncodingEnabled(false).request(method, path));
    }

    /** Creates a workspace; requires an admin key of the whole organization. */
    public UUID newWorkspace(String name) {
        return post("/v1/workspaces", "{\"name\": \"" + name + "\"}").id();
    }
}
