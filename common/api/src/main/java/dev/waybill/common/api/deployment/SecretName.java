package dev.waybill.common.api.deployment;

/** The name of a secret; its value is never returned. */
public record SecretName(String name) {
}
