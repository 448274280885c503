package dev.waybill.client;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import feign.Request;
import feign.Response;

/** Sends requests with JSON bodies that no interface covers, for example members of a newer service. */
public final class JsonClient {

    private final WaybillClients clients;

    JsonClient(WaybillClients clients) {
        this.clients = clients;
    }

    public JsonNode get(URI address) {
        return send(Request.HttpMethod.GET, address, null);
    }

    public JsonNode post(URI address, JsonNode body) {
        return post(address, WireJson.write(body).getBytes(StandardCharsets.UTF_8));
    }

    /** Sends serialized JSON. */
    public JsonNode post(URI address, byte[] json) {
        return send(Request.HttpMethod.POST, address, json);
    }

    public JsonNode patch(URI address, JsonNode body) {
        return send(Request.HttpMethod.PATCH, address, WireJson.write(body).getBytes(StandardCharsets.UTF_8));
    }

    public JsonNode delete(URI address) {
        return send(Request.HttpMethod.DELETE, address, null);
    }

    private JsonNode send(Request.HttpMethod method, URI address, byte @Nullable [] json) {
        try (Response response = clients.send(method, address, json)) {
            if (response.status() / 100 != 2) {
                throw JsonBodies.error(response);
            }
            byte[] body = response.body().asInputStream().readAllBytes();
            return body.length == 0 ? JsonNodeFactory.instance.objectNode() : WireJson.MAPPER.readTree(body);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(method + " " + address + " failed", e);
        }
    }
}
