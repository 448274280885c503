package dev.waybill.runtime;

import static io.restassured.RestAssured.given;

import dev.waybill.common.testing.Patience;
import io.restassured.http.ContentType;
import io.restassured.response.Response;

/** Client of the runtime with a key. */
public record Caller(String key) {

    /** Returns the caller that owns most of the tests' runs. */
    public static Caller authorized() {
        return new Caller(RuntimeSettings.KEY);
    }

    public Response get(String path) {
        return given().header("X-Api-Key", key).get(path);
    }

    public Response post(String path, String body) {
        return given().header("X-Api-Key", key).contentType(ContentType.JSON).body(body).post(path);
    }

    public Response put(String path, String body) {
        return given().header("X-Api-Key", key).contentType(ContentType.JSON).body(body).put(path);
    }

    public Response patch(String path, String body) {
        return given().header("X-Api-Key", key).contentType(ContentType.JSON).body(body).patch(path);
    }

    public Response delete(String path) {
        return given().header("X-Api-Key", key).delete(path);
    }

    /** Starts a background run. */
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

    /** Returns the response of {@code /runs/wait}. */
    public Response await(String body) {
        return post("/runs/wait", body);
    }
}
