package dev.waybill.runtime.jsonstate;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;

import java.io.IOException;
import java.nio.file.Path;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.RuntimeProcess;
import dev.waybill.runtime.ThreadCaller;
import io.restassured.RestAssured;

/** The sample in plain Java: it remembers, and its question survives the end of its runtime. */
class ApprovalSampleIT {

    private static final Path SAMPLE = Path.of(System.getProperty("waybill.root"), "deployment-runtime/samples/approval-java");

    @TempDir
    private Path directory;

    private RuntimeProcess runtime;

    @BeforeEach
    void start() throws IOException {
        runtime = RuntimeProcess.start(SAMPLE, directory.resolve("threads"), directory.resolve("log"));
        RestAssured.port = runtime.awaitReady().getPort();
    }

    @AfterEach
    void stop() {
        runtime.close();
    }

    @Test
    void draftIsSentAfterApprovalAndRemembered() throws Exception {
        ThreadCaller thread = ThreadCaller.create();
        thread.await(Bodies.agent("Tell the team.")).then().statusCode(200)
                .body("__interrupt__[0].value.draft", equalTo("Draft 1: Tell the team."));

        runtime.kill();
        start();

        thread.read().then().body("status", equalTo("interrupted"));
        thread.await(resume("approve")).then().statusCode(200)
                .body("messages.content", contains("Tell the team.", "Sent: Draft 1: Tell the team."));
        thread.await(Bodies.agent("Thank them.")).then().body("draft", equalTo("Draft 2: Thank them."));
        thread.await(resume("reject")).then().body("sent", contains("Draft 1: Tell the team."));
        thread.read().then().body("status", equalTo("idle")).body("values.messages.size()", equalTo(4));
    }

    private static String resume(String decision) {
        return "{\"assistant_id\": \"agent\", \"command\": {\"resume\": \"" + decision + "\"}}";
    }
}
