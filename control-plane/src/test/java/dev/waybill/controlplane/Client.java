package dev.waybill.controlplane;

import static io.restassured.RestAssured.given;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.testing.Account;
import io.restassured.http.ContentType;
import io.restassured.specification.RequestSpecification;

/** Someone who calls the service: with a key or a token, perhaps with more headers. */
public record Client(RequestSpecification request) {

    public static Client as(Account account) {
        return withKey(account.key());
    }

    public static Client withKey(String key) {
        return new Client(given().header("X-Api-Key", key));
    }

    public static Client withToken(String token) {
        return new Client(given().header("Authorization", "Bearer " + token));
    }

    public static Client operator() {
        return withKey(ControlPlaneSettings.OPERATOR_KEY);
    }

    public static Client anonymous() {
        return new Client(given());
    }

    public Client header(String name, Object value) {
        request.header(name, value);
        return this;
    }

    public Client in(@Nullable UUID workspaceId) {
        return workspaceId == null ? this : header("X-Tenant-Id", workspaceId);
    }

    public Answer get(String path) {
        return send("GET", path);
    }

    public Answer delete(String path) {
        return send("DELETE", path);
    }

    public Answer post(String path, String body) {
        request.contentType(ContentType.JSON).body(body);
        return send("POST", path);
    }

    public Answer patch(String path, String body) {
        request.contentType(ContentType.JSON).body(body);
        return send("PATCH", path);
    }

    public Answer send(String method, String path) {
        return Answer.of(request.urlEncodingEnabled(false).request(method, path));
    }

    /** A new workspace, for an admin of the whole organization. */
    public UUID newWorkspace(String name) {
        return post("/v1/workspaces", "{\"name\": \"" + name + "\"}").id();
    }
}
