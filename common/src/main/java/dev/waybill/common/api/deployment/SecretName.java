package dev.waybill.common.api.deployment;

/** All that is ever told of a secret. */
public record SecretName(String name) {
}
