package dev.waybill.controlplane.engine.kubernetes;

import static java.net.HttpURLConnection.HTTP_BAD_REQUEST;
import static java.net.HttpURLConnection.HTTP_FORBIDDEN;
import static java.net.HttpURLConnection.HTTP_NOT_FOUND;

import java.util.Optional;
import java.util.regex.Pattern;

import dev.waybill.controlplane.engine.Outcome;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;

/** Maps errors of the API server to a reason for the user. */
final class ApiErrors {

    private static final int UNPROCESSABLE = 422;
    /** The authorizer's message for a missing permission; admission control and quotas use other messages. */
    private static final Pattern MISSING_PERMISSION = Pattern.compile("User \"[^\"]*\" cannot [a-z]+ resource ");

    private ApiErrors() {
    }

    /** Returns the failed outcome; empty for errors that neither the user nor the operator can fix. */
    static Optional<Outcome.Failed> outcome(KubernetesClientException error) {
        Status status = error.getStatus();
        String message = status == null || status.getMessage() == null ? "" : status.getMessage();
        return switch (error.getCode()) {
            case HTTP_NOT_FOUND -> message.contains("namespaces ")
                    ? Optional.of(Outcome.Failed.permanent(
                            "The applications' namespace does not exist: " + message + ". Ask the operator to create it."))
                    : Optional.empty();
            case HTTP_BAD_REQUEST, UNPROCESSABLE -> Optional.of(Outcome.Failed.permanent(
                    "The cluster rejects the application's objects as invalid: " + message + "."));
            case HTTP_FORBIDDEN -> Optional.of(forbidden(message));
            default -> Optional.empty();
        };
    }

    private static Outcome.Failed forbidden(String message) {
        if (message.contains("exceeded quota")) {
            return new Outcome.Failed("The namespace's quota in the cluster is exhausted: " + message
                    + ". Delete a deployment, or have the operator raise the quota.", true);
        }
        if (MISSING_PERMISSION.matcher(message).find()) {
            return new Outcome.Failed("The control plane lacks a permission in the cluster: " + message
                    + ". Ask the operator to apply k8s/base/applications/rights.yaml, which lists every permission.", true);
        }
        return Outcome.Failed.permanent("The cluster's admission control rejects the application: " + message
                + ". Fix the named fields, or ask the operator to adapt the policy.");
    }
}
