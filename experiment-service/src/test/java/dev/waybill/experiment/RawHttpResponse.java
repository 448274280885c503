package dev.waybill.experiment;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.testing.Account;
import io.restassured.RestAssured;

/** Response to a request with a large or streamed body, which takes REST-assured minutes. */
public record RawHttpResponse(int status, HttpResponse<String> response) {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Target FORMS = new Target("/runs/multipart", TestForm.TYPE);
    private static final Target UPLOADS = new Target("/api/v1/datasets/upload-experiment", "application/json");

    /** Sends runs as a form with a Content-Length. */
    public static RawHttpResponse postForm(Account account, String coding, byte[] body) {
        return to(FORMS, account, coding, HttpRequest.BodyPublishers.ofByteArray(body));
    }

    /** Uploads an experiment, with a Content-Length. */
    public static RawHttpResponse postUpload(Account account, String coding, byte[] body) {
        return to(UPLOADS, account, coding, HttpRequest.BodyPublishers.ofByteArray(body));
    }

    /** Uploads an experiment in chunks. */
    public static RawHttpResponse postChunkedUpload(Account account, String coding, Supplier<InputStream> body) {
        return to(UPLOADS, account, coding, HttpRequest.BodyPublishers.ofInputStream(body));
    }

    /** Sends runs as a form in chunks. */
    public static RawHttpResponse postChunkedForm(Account account, String coding, Supplier<InputStream> body) {
        return to(FORMS, account, coding, HttpRequest.BodyPublishers.ofInputStream(body));
    }

    /** Sends JSON to a path with a large response. */
    public static RawHttpResponse postJson(Account account, String path, String json) {
        return to(new Target(path, "application/json"), account, null, HttpRequest.BodyPublishers.ofString(json));
    }

    private static RawHttpResponse to(Target target, Account account, String coding, HttpRequest.BodyPublisher body) {
        HttpRequest.Builder request = HttpRequest
                .newBuilder(URI.create(RestAssured.baseURI + ":" + RestAssured.port + target.path()))
                .header("X-Api-Key", account.key())
                .header("Content-Type", target.contentType())
                .POST(body);
        if (coding != null) {
            request.header("Content-Encoding", coding);
        }
        // Uses a connection per request: a request that is rejected before it was sent leaves an unusable connection.
        try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new RawHttpResponse(response.statusCode(), response);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public JsonNode json() {
        try {
            return JSON.readTree(response.body());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public String detail() {
        return json().path("detail").asText();
    }

    public String header(String name) {
        return response.headers().firstValue(name).orElse(null);
    }

    @Override
    public String toString() {
        return status + " " + response.body();
    }

    private record Target(String path, String contentType) {
    }
}
