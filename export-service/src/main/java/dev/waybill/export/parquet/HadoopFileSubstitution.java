package dev.waybill.export.parquet;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.util.HadoopOutputFile;

import com.oracle.svm.core.annotate.Substitute;
import com.oracle.svm.core.annotate.TargetClass;

/**
 * Replaces parquet's access to Hadoop file systems in native images: the service does not use it, and its dependencies would be
 * linked. The JVM does not load this class.
 */
@TargetClass(HadoopOutputFile.class)
final class HadoopFileSubstitution {

    private HadoopFileSubstitution() {
    }

    @Substitute
    static HadoopOutputFile fromPath(Path path, Configuration configuration) {
        throw new UnsupportedOperationException("Hadoop file systems are not included in this image: " + path);
    }
}
