package dev.waybill.controlplane.engine.kubernetes;

import static java.net.HttpURLConnection.HTTP_BAD_REQUEST;
import static java.net.HttpURLConnection.HTTP_FORBIDDEN;
import static java.net.HttpURLConnection.HTTP_NOT_FOUND;

import java.util.Optional;
import java.util.regex.Pattern;

import dev.waybill.controlplane.engine.Outcome;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;

/** Turns what an API server refuses into a reason for the user. */
final class Refusals {

    private static final int UNPROCESSABLE = 422;
    /** How the API server's authorizer phrases a missing right; admission and quotas phrase theirs otherwise. */
    private static final Pattern MISSING_RIGHT = Pattern.compile("User \"[^\"]*\" cannot [a-z]+ resource ");

    private Refusals() {
    }

    /** Returns a failed outcome with the reason, or empty for what is not the user's or the operator's to fix. */
    static Optional<Outcome.Failed> outcome(KubernetesClientException refusal) {
        Status status = refusal.getStatus();
        String message = status == null || status.getMessage() == null ? "" : status.getMessage();
        return switch (refusal.getCode()) {
            case HTTP_NOT_FOUND -> message.contains("namespaces ")
                    ? Optional.of(Outcome.Failed.forGood(
                            "The applications' namespace does not exist: " + message + ". The operator creates it."))
                    : Optional.empty();
            case HTTP_BAD_REQUEST, UNPROCESSABLE -> Optional.of(Outcome.Failed.forGood(
                    "The cluster rejects the application's objects as invalid: " + message + "."));
            case HTTP_FORBIDDEN -> Optional.of(forbidden(message));
            default -> Optional.empty();
        };
    }

    private static Outcome.Failed forbidden(String message) {
        if (message.contains("exceeded quota")) {
            return new Outcome.Failed("The namespace's quota in the cluster leaves no room for the application: " + message
                    + ". Delete a deployment, or have the operator raise the quota.", true);
        }
        if (MISSING_RIGHT.matcher(message).find()) {
            return new Outcome.Failed("The control plane lacks a right in the cluster: " + message
                    + ". The operator applies k8s/base/applications/rights.yaml, which lists every right.", true);
        }
        return Outcome.Failed.forGood("The cluster's admission control rejects the application: " + message
                + ". Change what it names, or have the operator adapt the policy.");
    }
}
