package dev.waybill.experiment.attachment;

import static dev.waybill.experiment.ApiClient.as;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.Patience;
import dev.waybill.experiment.RawHttpResponse;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestForm;
import dev.waybill.experiment.TestRun;
import dev.waybill.experiment.run.AttachmentLinks;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

@QuarkusTest
class AttachmentTest {

    private final Account account = Accounts.account().role("member").create();
    private final TestRun run = TestRun.root().with("session_name", "with-files");

    @Test
    void listsAttachmentsByNameWithTypeAndSize() {
        // Given
        send(TestForm.of(run).part(part("b"), "image/png", new byte[] { 1, 2 }).part(part("a"), "text/plain", new byte[0]));

        // When / Then
        as(account).get(path()).then().statusCode(200)
                .body("name", equalTo(List.of("a", "b")))
                .body("content_type", equalTo(List.of("text/plain", "image/png")))
                .body("size", equalTo(List.of(0, 2)));
        assertThat(as(account).get(path() + "/a").asByteArray()).isEmpty();
    }

    @Test
    void returnsTheSentBytesAsADownload() {
        // Given
        byte[] content = new byte[700_001];
        new Random(3).nextBytes(content);
        send(TestForm.of(run).part(part("page"), "text/html", content));

        // When
        Response response = as(account).get("/runs/" + run.id() + "/attachments/page");

        // Then
        response.then().statusCode(200)
                .header("Content-Type", equalTo("application/octet-stream"))
                .header("Transfer-Encoding", equalTo("chunked"))
                .header("Content-Length", nullValue())
                .header("Content-Disposition", equalTo("attachment; filename*=UTF-8''page"))
                .header("X-Content-Type-Options", equalTo("nosniff"))
                .header("Content-Security-Policy", equalTo("sandbox; default-src 'none'"));
        assertThat(response.asByteArray()).isEqualTo(content);
    }

    @Test
    void escapesUnsafeNamesAndIgnoresUnsafeTypes() {
        // Given
        String name = "../ä/r\"e;p\nort.html";
        send(TestForm.of(run).part("attachment." + run.id() + ".q3 report", "text/html\u0007; charset=x", new byte[] { 1 }));
        String stored = "INSERT INTO trace.attachments (tenant_id, run_id, name, content_type, content) VALUES (?, ?, ?, 'a b', 'x')";
        Rows.value(stored, account.workspaceId(), run.id(), name);

        // When / Then
        as(account).get(path()).then().body("name", equalTo(List.of(name, "q3 report")));
        as(account).get(path() + "/{name}", "q3 report").then().statusCode(200)
                .header("Content-Type", equalTo("application/octet-stream"))
                .header("Content-Disposition", equalTo("attachment; filename*=UTF-8''q3%20report"));
        assertThat(AttachmentHeaders.of(new dev.waybill.common.api.trace.AttachmentResponse(name, "a b", 1)))
                .containsEntry("Content-Disposition",
                        List.of("attachment; filename*=UTF-8''..%2F%C3%A4%2Fr%22e%3Bp%0Aort.html"));
    }

    @Test
    void replacesNulInNamesAndTypes() {
        // When
        send(TestForm.of(run).part(part("a\u0000b"), "text/\u0000", new byte[] { 7 }));

        // Then
        as(account).get(path()).then().body("[0].name", equalTo("a\ufffdb")).body("[0].content_type", equalTo("text/\ufffd"));
        assertThat(as(account).get(path() + "/{name}", "a\u0000b").asByteArray()).containsExactly(7);
    }

    @Test
    void returns404ForMissingRunsAndAttachments() {
        // Given
        send(TestForm.of(run));

        // When / Then
        as(account).get(path()).then().statusCode(200).body("", hasSize(0));
        as(account).get(path() + "/none").then().statusCode(404).contentType("application/problem+json");
        as(account).get("/api/v1/runs/" + UUID.randomUUID() + "/attachments").then().statusCode(404);
    }

    @Test
    void returns404ToAnotherWorkspace() {
        // Given
        Account otherAccount = Accounts.account().create();
        send(TestForm.of(run).part(part("a"), "text/plain", new byte[] { 1 }));

        // When / Then
        as(otherAccount).get(path()).then().statusCode(404);
        as(otherAccount).get(path() + "/a").then().statusCode(404);
    }

    @Test
    void signedLinksDownloadAttachmentsWithoutAKey() {
        // Given
        send(TestForm.of(run).part(part("a"), "text/html", new byte[] { 1, 2, 3 }).part(part("\u00e4 b"), null,
                new byte[] { 4 }));

        // When
        Map<String, Map<String, String>> links = as(account).get("/runs/" + run.id()).path("s3_urls");

        // Then
        assertThat(links).containsOnlyKeys("attachment.a", "attachment.\u00e4 b");
        Response file = given().get(links.get("attachment.a").get("presigned_url"));
        file.then().statusCode(200).header("Content-Type", equalTo("application/octet-stream"))
                .header("Content-Disposition", equalTo("attachment; filename*=UTF-8''a"))
                .header("Content-Security-Policy", equalTo("sandbox; default-src 'none'"));
        assertThat(file.asByteArray()).containsExactly(1, 2, 3);
        assertThat(given().get(links.get("attachment.\u00e4 b").get("presigned_url")).asByteArray()).containsExactly(4);
    }

    @Test
    void returns404ForALinkWithAnyChangedByte() {
        // Given
        send(TestForm.of(run).part(part("a"), "text/plain", new byte[] { 1 }));
        String link = as(account).get("/runs/" + run.id()).path("s3_urls['attachment.a'].presigned_url");
        String token = link.substring(link.lastIndexOf('/') + 1);

        // When / Then
        given().get(link).then().statusCode(200);
        for (int i = 0; i < token.length(); i += 5) {
            // The last character of each half has unused bits.
            if (i == token.indexOf('.') - 1 || i == token.length() - 1) {
                continue;
            }
            char other = token.charAt(i) == 'A' ? 'B' : 'A';
            given().get(AttachmentLinks.PATH + "/" + token.substring(0, i) + other + token.substring(i + 1)).then()
                    .statusCode(404).contentType("application/problem+json");
        }
        for (String broken : List.of("x", ".", "a.b", token + ".x", token.substring(0, token.indexOf('.')))) {
            given().get(AttachmentLinks.PATH + "/" + broken).then().statusCode(404);
        }
    }

    @Test
    void deletesAttachmentsWithTheirSession() {
        // Given
        send(TestForm.of(run).part(part("a"), "text/plain", new byte[] { 1 }));
        String session = as(account).get("/api/v1/sessions?name=with-files").jsonPath().getString("[0].id");

        // When
        as(account).delete("/api/v1/sessions/" + session).then().statusCode(org.hamcrest.Matchers.lessThan(300));

        // Then
        as(account).get(path() + "/a").then().statusCode(404);
        Patience.await()
                .until(() -> Rows.count("SELECT count(*) FROM trace.attachments WHERE run_id = ?", run.id()) == 0);
    }

    @Test
    void attachmentWithoutATypeIsOctetStream() {
        // Given
        String stored = "INSERT INTO trace.attachments (tenant_id, run_id, name, content) VALUES (?, ?, 'plain', 'x')";
        Rows.value(stored, account.workspaceId(), run.id());

        // When / Then
        as(account).get(path()).then().body("[0].content_type", nullValue());
        as(account).get(path() + "/plain").then().header("Content-Type", equalTo("application/octet-stream"));
    }

    private String part(String name) {
        return "attachment." + run.id() + "." + name;
    }

    private String path() {
        return "/api/v1/runs/" + run.id() + "/attachments";
    }

    private void send(TestForm form) {
        assertThat(RawHttpResponse.postForm(account, null, form.bytes()).status()).isEqualTo(202);
    }
}
