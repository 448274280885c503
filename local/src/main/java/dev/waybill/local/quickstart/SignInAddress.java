package dev.waybill.local.quickstart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

import dev.waybill.local.client.Json;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.stack.StackException;

/** Creates addresses of the console that sign a browser in once, within five minutes (docs/console.md). */
final class SignInAddress {

    private SignInAddress() {
    }

    /**
     * Returns an address that signs in with the stack's key. Its fragment contains a code; browsers do not send fragments.
     *
     * @param page the path and query of the page to open
     */
    static URI create(Stack stack, String page) {
        ServiceProcess console = stack.service(ServiceKind.CONSOLE);
        HttpRequest request = HttpRequest.newBuilder(console.managementAddress().resolve("/sign-in-codes"))
                .timeout(Duration.ofMinutes(1))
                .header("Authorization", "Bearer " + stack.secrets().signInKey())
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(Json.bytes(Json.object().put("api_key", stack.secrets().apiKey()))))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new StackException("the console created no sign-in code: status " + response.statusCode());
            }
            String code = Json.parse(response.body()).required("code").textValue();
            return URI.create(console.address() + page + "#code=" + code);
        } catch (IOException e) {
            throw new UncheckedIOException("the console does not respond", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackException("interrupted", e);
        }
    }
}
