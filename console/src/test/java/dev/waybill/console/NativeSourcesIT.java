package dev.waybill.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.packaging.NativeSourcesChecks;

/** Checks of the native image that are common to all services, and its pages. */
class NativeSourcesIT extends NativeSourcesChecks {

    NativeSourcesIT() {
        super("console");
    }

    @Test
    void pagesAreInTheImage() {
        List<String> pages = sources
                .filesOfLibraries(Pattern.compile("META-INF/resources/(index\\.html|assets/.+\\.(js|css))"));

        assertThat(pages).hasSizeGreaterThan(5).allMatch(sources::hasResource);
    }

    @Test
    void reverseProxyIsIncluded() {
        assertThat(sources.filesOfLibraries(Pattern.compile("io/vertx/httpproxy/HttpProxy.class"))).isNotEmpty();
    }

    @Override
    protected boolean hasWireTypes() {
        return false;
    }
}
