package dev.waybill.common.api.deployment;

import java.util.Locale;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import com.fasterxml.jackson.annotation.JsonValue;

/** What a deployment is for. */
@Schema(enumeration = { "dev", "prod" })
public enum DeploymentType {
    DEV,
    PROD;

    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
