package dev.waybill.experiment;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.ConfigurationReference;

class ConfigurationReferenceTest {

    @Test
    void everyKeyIsDocumentedInTheOperationsPage() {
        ConfigurationReference.assertComplete();
    }
}
