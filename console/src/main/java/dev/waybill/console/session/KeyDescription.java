package dev.waybill.console.session;

import java.util.Optional;

import jakarta.inject.Singleton;

import dev.waybill.console.service.Credential;
import dev.waybill.console.service.Service;
import dev.waybill.console.service.ServiceClient;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Asks the control-plane what a key or token may access. */
@Singleton
public class KeyDescription {

    private static final int MAX_WORKSPACES = 100;

    private final ServiceClient services;

    KeyDescription(ServiceClient services) {
        this.services = services;
    }

    /** Returns the organization, role and workspaces of the credential; empty if it is not valid. */
    public Future<Optional<JsonObject>> describe(Credential credential) {
        return services.get(Service.CONTROL_PLANE, "/v1/whoami", credential, null).compose(whoami -> switch (whoami.status()) {
            case 200 -> workspaces(credential, whoami.body()).map(list -> Optional.of(description(whoami.body(), list)));
            case 401, 403 -> Future.succeededFuture(Optional.empty());
            default -> Future.failedFuture("GET /v1/whoami returned " + whoami.status());
        });
    }

    private static JsonObject description(JsonObject whoami, JsonArray workspaces) {
        return new JsonObject()
                .put("organization_id", whoami.getString("organization_id"))
                .put("plan", whoami.getString("plan"))
                .put("role", whoami.getString("role"))
                .put("tenant_id", whoami.getString("tenant_id"))
                .put("key_expires_at", whoami.getString("expires_at"))
                .put("workspaces", workspaces);
    }

    /** Keys without permission to list workspaces have one only: their own. */
    private Future<JsonArray> workspaces(Credential credential, JsonObject whoami) {
        return services.get(Service.CONTROL_PLANE, "/v1/workspaces?limit=" + MAX_WORKSPACES, credential, null).map(listed -> {
            JsonArray names = new JsonArray();
            if (listed.status() == 200) {
                listed.body().getJsonArray("resources", names).forEach(item -> names.add(name((JsonObject) item)));
            }
            String own = whoami.getString("tenant_id");
            if (names.isEmpty() && own != null) {
                names.add(new JsonObject().put("id", own).putNull("name"));
            }
            return names;
        });
    }

    private static JsonObject name(JsonObject workspace) {
        return new JsonObject().put("id", workspace.getString("id")).put("name", workspace.getString("name"));
    }
}
