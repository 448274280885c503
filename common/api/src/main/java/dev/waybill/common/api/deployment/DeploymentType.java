package dev.waybill.common.api.deployment;

import java.util.Locale;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import com.fasterxml.jackson.annotation.JsonValue;

/** The purpose of a deployment. */
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
