package dev.waybill.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;

import io.restassured.response.Response;

/** A response of the service, with accessors for assertions. */
public record HttpResult(int status, Response response) {

    public static HttpResult of(Response response) {
        return new HttpResult(response.statusCode(), response);
    }

    public Object value(String path) {
        return response.jsonPath().get(path);
    }

    public String text(String path) {
        return response.jsonPath().getString(path);
    }

    public UUID id() {
        return response.jsonPath().getUUID("id");
    }

    public <T> List<T> list(String path, Class<T> type) {
        return response.jsonPath().getList(path, type);
    }

    public String detail() {
        return text("detail");
    }

    public String header(String name) {
        return response.header(name);
    }

    public List<String> headers(String name) {
        return response.headers().getValues(name);
    }

    public String body() {
        return response.asString();
    }

    /** Asserts that this is a complete problem detail of that type without internal details. */
    public void assertIsProblem(String type, String path) {
        assertThat(header("Content-Type")).startsWith("application/problem+json");
        assertThat(text("type")).isEqualTo("urn:waybill:problem:" + type);
        assertThat(text("instance")).isEqualTo(path);
        assertThat(text("request_id")).isEqualTo(header("X-Request-Id"));
        assertThat(value("status")).isEqualTo(status);
        assertThat(List.of(text("title"), detail())).allSatisfy(words -> assertThat(words).isNotBlank());
        assertThat(body()).doesNotContain("Exception", "dev.waybill.c", "io.quarkus");
    }
}
