package dev.waybill.export.parquet;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.util.HadoopOutputFile;

import com.oracle.svm.core.annotate.Substitute;
import com.oracle.svm.core.annotate.TargetClass;

/**
 * In a native image, instead of parquet's way to Hadoop's file systems: nothing of ours goes there, and everything behind it
 * would be linked. On the JVM nobody loads this class.
 */
@TargetClass(HadoopOutputFile.class)
final class HadoopFileSubstitution {

    private HadoopFileSubstitution() {
    }

    @Substitute
    static HadoopOutputFile fromPath(Path path, Configuration configuration) {
        throw new UnsupportedOperationException("files of Hadoop are not part of this image: " + path);
    }
}
