package dev.waybill.export.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;

import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;

class S3RangesTest {

    @ParameterizedTest
    @NullAndEmptySource
    void truncatedListWithoutTokenIsNotTheLastPage(String token) {
        ListObjectsV2Response response = ListObjectsV2Response.builder().isTruncated(true).nextContinuationToken(token).build();

        assertThatThrownBy(() -> S3Ranges.page(response)).isInstanceOfSatisfying(StorageException.class,
                e -> assertThat(e.problem()).isEqualTo(StorageProblem.NOT_SUPPORTED));
    }

    @Test
    void listThatIsNotTruncatedIsTheLastPage() {
        ListObjectsV2Response response = ListObjectsV2Response.builder().isTruncated(false).build();

        assertThat(S3Ranges.page(response).nextToken()).isNull();
    }
}
