package dev.waybill.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** Sends requests as the application in a browser does. */
public final class Browser {

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI address;
    private String cookie = "";

    public Browser(URI address) {
        this.address = URI.create("http://localhost:" + address.getPort());
    }

    /** Returns a request of the application's own page. */
    public HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = foreign(path).header("X-Waybill-Console", "1").header("Sec-Fetch-Site", "same-origin");
        return request;
    }

    /** Returns a request with the cookie only, as a link or form of another site makes a browser send it. */
    public HttpRequest.Builder foreign(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address.resolve(path));
        return cookie.isEmpty() ? request : request.header("Cookie", cookie);
    }

    public HttpResponse<String> send(HttpRequest.Builder request) {
        return send(request, BodyHandlers.ofString());
    }

    public <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler) {
        try {
            return client.send(request.build(), handler);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public HttpResponse<String> signIn(String key) {
        return signInWith("api_key", key);
    }

    /** Signs in with a body that has this member only. */
    public HttpResponse<String> signInWith(String member, String value) {
        HttpResponse<String> response = send(request("/session")
                .POST(HttpRequest.BodyPublishers.ofString("{\"" + member + "\": \"" + value + "\"}")));
        response.headers().firstValue("Set-Cookie").ifPresent(header -> cookie = header.split(";", 2)[0]);
        return response;
    }

    public void setCookie(String value) {
        cookie = value;
    }

    public String cookie() {
        return cookie;
    }

    public int port() {
        return address.getPort();
    }
}
