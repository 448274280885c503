package dev.waybill.experiment.isolation;

import static dev.waybill.experiment.ApiClient.as;

import java.nio.charset.StandardCharsets;

import dev.waybill.common.testing.Account;
import dev.waybill.experiment.TestForm;
import dev.waybill.experiment.TestRun;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;

/** A request to the API; the body may be null. */
record ApiCall(String method, String path, String contentType, byte[] body) {

    static ApiCall withoutBody(String method, String path) {
        return new ApiCall(method, path, null, null);
    }

    static ApiCall json(String method, String path, Object body) {
        return new ApiCall(method, path, "application/json", TestRun.json(body).getBytes(StandardCharsets.UTF_8));
    }

    static ApiCall form(String method, String path, TestForm form) {
        return new ApiCall(method, path, TestForm.TYPE, form.bytes());
    }

    Response sendAs(Account account) {
        return send(as(account));
    }

    Response send(RequestSpecification request) {
        if (body != null) {
            request.header("Content-Type", contentType).body(body);
        }
        return request.request(method, path);
    }

    @Override
    public String toString() {
        return method + " " + path + (body == null ? "" : " " + new String(body, StandardCharsets.UTF_8));
    }
}
