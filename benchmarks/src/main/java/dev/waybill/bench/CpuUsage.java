package dev.waybill.bench;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.Json;

/**
 * CPU usage of one measured step.
 *
 * @param program CPU-seconds of the program that executed the step
 * @param postgres CPU-seconds of PostgreSQL during the step
 * @param bytes size of the output
 */
record CpuUsage(double program, double postgres, long bytes) {

    double seconds() {
        return program + postgres;
    }

    JsonNode toJson() {
        return Json.object().put("program", round(program)).put("postgres", round(postgres)).put("bytes", bytes);
    }

    static CpuUsage from(JsonNode json) {
        return new CpuUsage(json.required("program").doubleValue(), json.required("postgres").doubleValue(),
                json.required("bytes").longValue());
    }

    private static double round(double seconds) {
        return Math.round(seconds * 100) / 100.0;
    }
}
