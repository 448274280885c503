package dev.waybill.runtime.cron;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.runtime.RuntimeSettings;
import dev.waybill.runtime.RuntimeTest;
import io.restassured.RestAssured;

/** Crons with the official client {@code @langchain/langgraph-sdk}. */
@RuntimeTest
class CronSdkTest {

    @Test
    void officialClientManagesCrons() throws Exception {
        // When
        JsonNode result = new ObjectMapper().readTree(RuntimeSettings.node().run("crons.mjs",
                "http://localhost:" + RestAssured.port, RuntimeSettings.KEY));

        // Then
        JsonNode created = result.get("created");
        assertThat(created.get("next_run_date").textValue()).endsWith("-01-01T08:00:00.000000Z");
        assertThat(created.get("on_run_completed").textValue()).isEqualTo("keep");
        assertThat(created.get("thread_id").isNull()).isTrue();
        assertThat(created.at("/payload/interrupt_before").toString()).isEqualTo("[\"talk\"]");
        assertThat(created.at("/payload/durability").textValue()).isEqualTo("sync");
        assertThat(result.at("/onThread/thread_id")).isEqualTo(result.get("thread"));
        assertThat(result.get("missingThread").intValue()).isEqualTo(404);
        assertThat(result.get("invalid").intValue()).isEqualTo(422);
        assertThat(result.at("/updated/next_run_date").isNull()).isTrue();
        assertThat(result.at("/updated/end_time").isNull()).isTrue();
        assertThat(result.at("/updated/schedule").textValue()).isEqualTo("0 10 1 1 *");
        assertThat(result.at("/found/0")).isEqualTo(result.get("updated"));
        assertThat(result.at("/found/1")).isEqualTo(result.get("onThread"));
        assertThat(result.get("enabled").toString())
                .isEqualTo("[{\"cron_id\":" + result.at("/onThread/cron_id") + "}]");
        assertThat(result.get("count").intValue()).isOne();
        assertThat(result.get("deleted").intValue()).isEqualTo(404);
    }
}
