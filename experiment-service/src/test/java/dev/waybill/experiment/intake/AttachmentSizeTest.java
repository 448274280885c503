package dev.waybill.experiment.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.body.Bytes;
import dev.waybill.experiment.body.Part;
import dev.waybill.experiment.run.RunReader;
import dev.waybill.experiment.run.Violations;

class AttachmentSizeTest {

    private static final UUID RUN = UUID.randomUUID();

    @Test
    void returns413WithTheNameOfALargeAttachment() {
        assertThatThrownBy(() -> read(7, new Part("attachment." + RUN + ".a", null, Bytes.of("12345678"))))
                .isInstanceOfSatisfying(ProblemException.class,
                        problem -> assertThat(problem.type()).isEqualTo(CommonProblem.TOO_LARGE))
                .hasMessageContaining("attachment." + RUN + ".a").hasMessageContaining("7 bytes");
    }

    @Test
    void acceptsAnAttachmentAtTheLimit() {
        assertThat(read(8, new Part("attachment." + RUN + ".a.b", null, Bytes.of("12345678"))).attachments())
                .singleElement().extracting(Batch.Attachment::name).isEqualTo("a.b");
    }

    private static Batch read(long maxSize, Part part) {
        RunReader reader = new RunReader();
        return new MultipartReader(reader, new FeedbackPartReader(null), maxSize, Violations.none()).read(List.of(part));
    }
}
