package dev.waybill.experiment.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;

import org.jboss.resteasy.reactive.RestResponse;
import org.junit.jupiter.api.Test;

class SearchRedirectTest {

    @Test
    void pageIsReturnedWithoutACursorToRedirectTo() {
        RestResponse<String> response = SearchRedirect.respond("page", null);

        assertThat(response.getStatus()).isEqualTo(200);
        assertThat(response.getEntity()).isEqualTo("page");
    }

    @Test
    void redirectKeepsTheMethodAndThePathOfTheRequest() {
        RestResponse<String> response = SearchRedirect.respond("page", "1_2_a-Z");
        URI location = URI.create(response.getHeaderString("Location"));

        assertThat(response.getStatus()).isEqualTo(307);
        assertThat(response.getEntity()).isEqualTo("page");
        assertThat(URI.create("https://host/prefix/api/v1/runs/query?cursor=old").resolve(location))
                .isEqualTo(URI.create("https://host/prefix/api/v1/runs/query?cursor=1_2_a-Z"));
    }
}
