package dev.waybill.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.HttpCookie;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A browser without scripts: stores cookies, follows redirects one at a time and submits the forms of the issuer. */
final class CookieBrowser implements AutoCloseable {

    private static final int MAX_STEPS = 20;
    private static final Pattern FORM = Pattern.compile("<form[^>]* action=\"([^\"]+)\"");
    private static final Pattern HIDDEN = Pattern.compile("<input type=\"hidden\" name=\"([^\"]+)\" value=\"([^\"]*)\"");

    private final CookieManager cookies = new CookieManager(null, CookiePolicy.ACCEPT_ALL);
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).cookieHandler(cookies)
            .build();

    /** The response to one request and the address that it redirects to. */
    record Step(URI address, HttpResponse<String> response) {

        int status() {
            return response.statusCode();
        }

        /** Returns the address of the redirect; fails if there is none. */
        URI location() {
            return address.resolve(response.headers().firstValue("Location")
                    .orElseThrow(() -> new AssertionError(response.statusCode() + " " + response.body())));
        }
    }

    Step open(URI address) {
        return send(HttpRequest.newBuilder(address));
    }

    /** Sends a request of a page of the console. */
    Step change(URI address, String method, String body) {
        return send(HttpRequest.newBuilder(address).header("X-Waybill-Console", "1").header("Sec-Fetch-Site", "same-origin")
                .method(method, BodyPublishers.ofString(body)));
    }

    /** Follows redirects and submits forms as {@code user} until the next address matches; returns that address. */
    URI follow(URI start, String user, Predicate<URI> end) {
        Step step = open(start);
        for (int i = 0; i < MAX_STEPS; i++) {
            if (step.status() == 200) {
                step = submit(step, user);
                continue;
            }
            URI next = step.location();
            if (end.test(next)) {
                return next;
            }
            step = open(next);
        }
        throw new AssertionError("no end of redirects at " + step.address());
    }

    /** Returns the names of all stored cookies. */
    List<String> cookieNames() {
        return cookies.getCookieStore().getCookies().stream().map(HttpCookie::getName).toList();
    }

    private Step submit(Step page, String user) {
        Matcher form = FORM.matcher(page.response().body());
        if (!form.find()) {
            throw new AssertionError(page.address() + " has no form: " + page.response().body());
        }
        Map<String, String> fields = new TreeMap<>(Map.of("login", user, "password", "any"));
        Matcher hidden = HIDDEN.matcher(page.response().body());
        while (hidden.find()) {
            fields.put(hidden.group(1), hidden.group(2));
        }
        return send(HttpRequest.newBuilder(page.address().resolve(form.group(1)))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(fields.entrySet().stream()
                        .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&")))));
    }

    private Step send(HttpRequest.Builder request) {
        try {
            HttpRequest built = request.timeout(Duration.ofMinutes(1)).build();
            return new Step(built.uri(), client.send(built, BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Returns the parameters of an address. */
    static Map<String, String> parameters(URI address) {
        return Pattern.compile("&").splitAsStream(address.getRawQuery()).map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
    }

    /** Returns the address with another value of a parameter. */
    static URI with(URI address, String parameter, String value) {
        return URI.create(address.toString().replaceFirst("([?&]" + parameter + "=)[^&]*", "$1" + value));
    }

    @Override
    public void close() {
        client.close();
    }
}
