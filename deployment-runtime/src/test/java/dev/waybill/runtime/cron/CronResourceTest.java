package dev.waybill.runtime.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.runtime.Caller;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.ThreadCaller;

/** Crons over HTTP; none of their dates comes during the tests. */
@RuntimeTest
class CronResourceTest {

    private static final String YEARLY = """
            {"assistant_id": "threads", "schedule": "30 9 1 1 *", "timezone": "Europe/Berlin", "metadata": {"test": "%s"},
             "input": {"messages": []}, "multitask_strategy": "reject"}""";

    private final Caller caller = Caller.authorized();
    private final String mark = UUID.randomUUID().toString();

    private String create() {
        return caller.post("/runs/crons", YEARLY.formatted(mark)).then().statusCode(200).extract().path("cron_id");
    }

    @Test
    void createdCronHasTheDateOfItsTimeZone() {
        caller.post("/runs/crons", YEARLY.formatted(mark)).then().statusCode(200)
                .body("next_run_date", endsWith("-01-01T08:30:00.000000Z"))
                .body("assistant_id", notNullValue())
                .body("thread_id", nullValue())
                .body("on_run_completed", equalTo("delete"))
                .body("enabled", equalTo(true))
                .body("schedule", equalTo("30 9 1 1 *"))
                .body("payload.multitask_strategy", equalTo("reject"))
                .body("metadata.test", equalTo(mark));
    }

    @Test
    void cronOnAThreadNeedsTheThread() {
        ThreadCaller thread = ThreadCaller.create();

        thread.post("/crons", YEARLY.formatted(mark)).then().statusCode(200).body("thread_id", equalTo(thread.id()));
        caller.post("/threads/" + UUID.randomUUID() + "/runs/crons", YEARLY.formatted(mark)).then().statusCode(404);
        caller.post("/runs/crons/count", "{\"thread_id\": \"" + thread.id() + "\"}").then().body(equalTo("1"));
    }

    @Test
    void allErrorsAreReportedAtOnce() {
        caller.post("/runs/crons", """
                {"assistant_id": "", "schedule": "every day", "timezone": "Mars/Base", "end_time": "soon",
                 "on_run_completed": "burn", "interrupt_before": 1, "durability": "never"}""").then().statusCode(422)
                .body("errors.size()", equalTo(7));
        caller.post("/runs/crons", "{\"assistant_id\": \"threads\", \"schedule\": \"0 0 30 2 *\"}").then().statusCode(422)
                .body("errors[0].loc[0]", equalTo("schedule"));
        caller.post("/runs/crons", "{\"assistant_id\": \"threads\", \"schedule\": \"* * * * *\", \"end_time\": \"2020-01-01\"}")
                .then().statusCode(422);
        caller.post("/runs/crons",
                "{\"assistant_id\": \"threads\", \"schedule\": \"* * * * *\", \"end_time\": \"2020-01-01T00:00:00\"}").then()
                .statusCode(422).body(containsString("end_time"));
        caller.post("/runs/crons", "{\"assistant_id\": \"nobody\", \"schedule\": \"* * * * *\"}").then().statusCode(404);
        caller.post("/runs/crons", "{\"assistant_id\": \"misbehaving\", \"schedule\": \"* * * * *\"}").then().statusCode(422);
    }

    @ParameterizedTest
    @ValueSource(strings = { "0-30/ * * * *", "0|30 9 * * *", "0 9 * * *|0 10 * * *", "* * * *", "60 * * * *" })
    void scheduleThatCannotBeReadIsRejected(String schedule) {
        caller.post("/runs/crons", "{\"assistant_id\": \"threads\", \"schedule\": \"" + schedule + "\"}").then()
                .statusCode(422).body("errors[0].loc[0]", equalTo("schedule"));
    }

    @ParameterizedTest
    @ValueSource(strings = { "+999999999-12-31T23:59:59Z", "+10000-01-01T00:00:00", "0000-12-31T23:59:59Z" })
    void endTimeOutsideTheYearsOfTimestampsIsRejected(String end) {
        String id = create();

        caller.post("/runs/crons",
                "{\"assistant_id\": \"threads\", \"schedule\": \"0 0 1 1 *\", \"end_time\": \"" + end + "\"}")
                .then().statusCode(422).body("errors[0].loc[0]", equalTo("end_time"));
        caller.patch("/runs/crons/" + id, "{\"end_time\": \"" + end + "\"}").then().statusCode(422)
                .body("errors[0].loc[0]", equalTo("end_time"));
    }

    @Test
    void payloadOfACronIsLimited() {
        String member = "{\"a\": \"" + "x".repeat(200_000) + "\"}";
        String id = create();

        caller.post("/runs/crons", "{\"assistant_id\": \"threads\", \"schedule\": \"0 0 1 1 *\", \"input\": " + member
                + ", \"context\": " + member + "}").then().statusCode(422).body("errors[0].loc[0]", equalTo("input"));
        caller.patch("/runs/crons/" + id, "{\"input\": " + member + "}").then().statusCode(200);
        caller.patch("/runs/crons/" + id, "{\"context\": " + member + "}").then().statusCode(422);
    }

    @Test
    @Tag("full")
    void cronsOfAnOwnerAreLimited() {
        Caller other = new Caller("issued-many-crons");
        String cron = YEARLY.formatted(mark);
        String first = other.post("/runs/crons", cron).then().statusCode(200).extract().path("cron_id");
        for (int i = 1; i < CronService.MAX_CRONS; i++) {
            other.post("/runs/crons", cron).then().statusCode(200);
        }

        other.post("/runs/crons", cron).then().statusCode(422).body(containsString("delete those"));
        other.delete("/runs/crons/" + first).then().statusCode(204);
        other.post("/runs/crons", cron).then().statusCode(200);
        other.post("/runs/crons/search", "{\"limit\": 101}").then().statusCode(422);
        other.post("/runs/crons/search", "{\"limit\": 100}").then().body("size()", equalTo(100));
    }

    @Test
    void changeOfTheScheduleChangesTheDate() {
        String id = create();

        caller.patch("/runs/crons/" + id, "{\"timezone\": \"UTC\", \"end_time\": \"2999-01-01T00:00:00+01:00\"}").then()
                .statusCode(200)
                .body("next_run_date", endsWith("-01-01T09:30:00.000000Z"))
                .body("end_time", equalTo("2998-12-31T23:00:00.000000Z"));
        caller.patch("/runs/crons/" + id, "{\"enabled\": false, \"end_time\": null, \"input\": {\"n\": 1}}").then()
                .statusCode(200)
                .body("next_run_date", nullValue()).body("end_time", nullValue()).body("payload.input.n", equalTo(1))
                .body("payload.multitask_strategy", equalTo("reject")).body("metadata.test", equalTo(mark));
        caller.patch("/runs/crons/" + id, "{\"enabled\": true, \"on_run_completed\": \"keep\"}").then().statusCode(200)
                .body("next_run_date", endsWith("-01-01T09:30:00.000000Z")).body("on_run_completed", equalTo("keep"));
        caller.patch("/runs/crons/" + id, "{\"schedule\": \"x\", \"end_time\": 1}").then().statusCode(422)
                .body("errors.size()", equalTo(2));
        caller.patch("/runs/crons/" + UUID.randomUUID(), "{}").then().statusCode(404);
    }

    @Test
    void cronsAreFoundCountedAndDeletedByTheirOwner() {
        String first = create();
        String second = create();
        String filter = "{\"metadata\": {\"test\": \"" + mark + "\"}%s}";
        Caller other = new Caller("issued-crons");

        caller.post("/runs/crons/search", filter.formatted(", \"limit\": 1")).then().statusCode(200)
                .header("X-Pagination-Total", equalTo("2")).header("X-Pagination-Next", equalTo("1"))
                .body("cron_id", contains(second));
        caller.post("/runs/crons/search", filter.formatted(", \"sort_order\": \"asc\", \"select\": [\"cron_id\"]")).then()
                .body("[0].toString()", equalTo("[cron_id:" + first + "]"));
        other.post("/runs/crons/search", filter.formatted("")).then().body("size()", equalTo(0));
        assertThat(other.delete("/runs/crons/" + first).statusCode()).isEqualTo(404);
        caller.delete("/runs/crons/" + first).then().statusCode(204);
        caller.delete("/runs/crons/" + first).then().statusCode(404);
        caller.post("/runs/crons/count", filter.formatted("")).then().body(equalTo("1"));
    }
}
