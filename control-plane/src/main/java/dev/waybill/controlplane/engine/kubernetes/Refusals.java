package dev.waybill.controlplane.engine.kubernetes;

import static java.net.HttpURLConnection.HTTP_BAD_REQUEST;
import static java.net.HttpURLConnection.HTTP_FORBIDDEN;
import static java.net.HttpURLConnection.HTTP_NOT_FOUND;

import java.util.Optional;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;

/** What an API server refuses, in words for whom it concerns. */
final class Refusals {

    private static final int UNPROCESSABLE = 422;

    private Refusals() {
    }

    /** Empty for what is no business of the deployment's user: rights that are missing, a server that is away. */
    static Optional<String> reason(KubernetesClientException refusal) {
        Status status = refusal.getStatus();
        String message = status == null || status.getMessage() == null ? "" : status.getMessage();
        return switch (refusal.getCode()) {
            case HTTP_NOT_FOUND -> message.contains("namespaces ")
                    ? Optional
                            .of("The applications' namespace is not there: " + message + ". This is for the operator to make.")
                    : Optional.empty();
            case HTTP_BAD_REQUEST, UNPROCESSABLE -> Optional.of("The cluster does not take the application as it is: " + message
                    + ".");
            case HTTP_FORBIDDEN -> message.contains("exceeded quota") || message.contains("admission webhook")
                    || message.contains("per Container") || message.contains("per Pod")
                            ? Optional.of("The cluster does not let the application in: " + message + ".")
                            : Optional.empty();
            default -> Optional.empty();
        };
    }
}
