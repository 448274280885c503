package dev.waybill.runtime;

import static io.restassured.RestAssured.given;

import dev.waybill.common.testing.Patience;
import io.restassured.http.ContentType;
import io.restassured.response.Response;

/** Somebody who calls the runtime with a key. */
public record Caller(String key) {

    /** The one whose runs the tests look at. */
    public static Caller ours() {
        return new Caller(RuntimeSettings.KEY);
    }

    public Response get(String path) {
        return given().header("X-Api-Key", key).get(path);
    }

    public Response post(String path, String body) {
        return given().header("X-Api-Key", key).contentType(ContentType.JSON).body(body).post(path);
    }

    /** Starts a run that nobody waits for. */
    public String start(String body) {
        Response started = post("/runs", body);
        started.then().statusCode(200);
        return started.path("run_id");
    }

    public Response cancel(String run) {
        return given().header("X-Api-Key", key).post("/runs/" + run + "/cancel");
    }

    public String status(String run) {
        return get("/runs/" + run).path("status");
    }

    public void awaitStatus(String run, String status) {
        Patience.await().until(() -> status(run).equals(status));
    }

    /** What {@code /runs/wait} answers. */
    public Response await(String body) {
        return post("/runs/wait", body);
    }
}
