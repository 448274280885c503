package dev.waybill.experiment.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.body.MultipartParser;
import dev.waybill.experiment.json.Bytes;
import dev.waybill.experiment.json.ViolationCollector;
import dev.waybill.experiment.run.RunReader;

class AttachmentSizeTest {

    private static final UUID RUN = UUID.randomUUID();

    @Test
    void returns413WithTheNameOfALargeAttachment() {
        assertThatThrownBy(() -> read(7, new MultipartParser.Part("attachment." + RUN + ".a", null, Bytes.of("12345678"))))
                .isInstanceOfSatisfying(ProblemException.class,
                        problem -> assertThat(problem.type()).isEqualTo(CommonProblem.TOO_LARGE))
                .hasMessageContaining("attachment." + RUN + ".a").hasMessageContaining("7 bytes");
    }

    @Test
    void acceptsAnAttachmentAtTheLimit() {
        assertThat(read(8, new MultipartParser.Part("attachment." + RUN + ".a.b", null, Bytes.of("12345678"))).attachments())
                .singleElement().extracting(BatchReader.Attachment::name).isEqualTo("a.b");
    }

    private static BatchReader.Batch read(long maxSize, MultipartParser.Part part) {
        return new BatchReader(new RunReader(), null, maxSize).new Form(ViolationCollector.none())
                .read(List.of(part));
    }
}
