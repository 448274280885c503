package dev.waybill.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.common.testing.Patience;
import io.restassured.response.Response;

/** Client of one thread. */
public record ThreadCaller(Caller caller, String id) {

    /** Creates a thread. */
    public static ThreadCaller create() {
        Caller caller = Caller.authorized();
        return new ThreadCaller(caller, caller.post("/threads", "{}").then().statusCode(200).extract().path("thread_id"));
    }

    /** Sends a request below the thread's runs. */
    public Response post(String path, String body) {
        return caller.post("/threads/" + id + "/runs" + path, body);
    }

    /** Reads below the thread's runs. */
    public Response get(String path) {
        return caller.get("/threads/" + id + "/runs" + path);
    }

    /** Returns the response of {@code /runs/wait}. */
    public Response await(String body) {
        return post("/wait", body);
    }

    /** Starts a background run and returns its id. */
    public String start(String body) {
        return post("", body).then().statusCode(200).extract().path("run_id");
    }

    /** Returns the thread itself. */
    public Response read() {
        return caller.get("/threads/" + id);
    }

    public String status() {
        return read().path("status");
    }

    public void awaitStatus(String status) {
        Patience.await().until(() -> status().equals(status));
    }

    /** Returns the status of a run; {@code missing} if there is none. */
    public String status(String run) {
        Response found = get("/" + run);
        return found.statusCode() == 404 ? "missing" : found.path("status");
    }

    public void awaitStatus(String run, String status) {
        Patience.await().until(() -> status(run).equals(status));
    }

    /** Waits until the graph has executed the first step of a resumable run. */
    public void awaitBegin(String run) {
        try (EventReader stream = EventReader.joinOnThread(id, run, "-1")) {
            assertThat(stream.status()).isEqualTo(200);
            while (stream.next().orElseThrow().data().path("log").isEmpty()) {
                // Values before the first step.
            }
        }
    }
}
