package dev.waybill.export.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

import org.apache.parquet.bytes.ByteBufferAllocator;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.xerial.snappy.Snappy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;

/**
 * Compresses pages with one codec and one pair of buffers for all pages of a writer: from native memory to native memory, in
 * one call per page. Parquet's own factory requires Hadoop.
 */
abstract sealed class PageCompressor implements BytesInputCompressor {

    // The size of an ordinary page; a larger buffer, allocated for one huge value, is not retained.
    private static final int MAX_RETAINED_BYTES = 5 << 20;

    private final CompressionCodecName codec;
    private final ReusableBuffer input;
    private final ReusableBuffer output;

    private PageCompressor(Compression compression, NativeMemory memory) {
        this.codec = compression.codec();
        this.input = new ReusableBuffer(memory);
        this.output = new ReusableBuffer(memory);
    }

    static PageCompressor of(Compression compression, NativeMemory memory) {
        return switch (compression) {
            case NONE -> new None(compression, memory);
            case GZIP -> new Gzip(compression, memory);
            case SNAPPY -> new SnappyPages(compression, memory);
            case ZSTANDARD -> new Zstandard(compression, memory);
        };
    }

    @Override
    public BytesInput compress(BytesInput bytes) throws IOException {
        ByteBuffer page = bytes.toByteBuffer(input, ignored -> {
        });
        if (!page.isDirect()) {
            page = input.allocate(page.remaining()).put(page).flip();
        }
        ByteBuffer compressed = output.allocate(Math.toIntExact(bound(page.remaining())));
        compress(page, compressed);
        return BytesInput.from(compressed);
    }

    @Override
    public CompressionCodecName getCodecName() {
        return codec;
    }

    @Override
    public void release() {
        input.free();
        output.free();
    }

    abstract long bound(int pageBytes);

    /** Compresses the remaining bytes of {@code page}; afterwards the remaining bytes of {@code compressed} are the result. */
    abstract void compress(ByteBuffer page, ByteBuffer compressed) throws IOException;

    private static final class None extends PageCompressor {

        None(Compression compression, NativeMemory memory) {
            super(compression, memory);
        }

        @Override
        public BytesInput compress(BytesInput bytes) {
            return bytes;
        }

        @Override
        long bound(int pageBytes) {
            return pageBytes;
        }

        @Override
        void compress(ByteBuffer page, ByteBuffer compressed) {
            compressed.put(page).flip();
        }
    }

    private static final class Zstandard extends PageCompressor {

        private static final int LEVEL = 3;

        private final ZstdCompressCtx context = new ZstdCompressCtx().setLevel(LEVEL);

        Zstandard(Compression compression, NativeMemory memory) {
            super(compression, memory);
        }

        @Override
        long bound(int pageBytes) {
            return Zstd.compressBound(pageBytes);
        }

        @Override
        void compress(ByteBuffer page, ByteBuffer compressed) {
            context.compress(compressed, page);
            compressed.flip();
        }

        @Override
        public void release() {
            context.close();
            super.release();
        }
    }

    private static final class SnappyPages extends PageCompressor {

        SnappyPages(Compression compression, NativeMemory memory) {
            super(compression, memory);
        }

        @Override
        long bound(int pageBytes) {
            return Snappy.maxCompressedLength(pageBytes);
        }

        @Override
        void compress(ByteBuffer page, ByteBuffer compressed) throws IOException {
            Snappy.compress(page, compressed);
        }
    }

    private static final class Gzip extends PageCompressor {

        private static final byte[] HEADER = { 0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, (byte) 0xff };

        private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);

        Gzip(Compression compression, NativeMemory memory) {
            super(compression, memory);
        }

        // A generous bound: incompressible data is stored in blocks with five bytes of overhead per 16 KiB.
        @Override
        long bound(int pageBytes) {
            return pageBytes + ((long) pageBytes >> 8) + 1024;
        }

        @Override
        void compress(ByteBuffer page, ByteBuffer compressed) throws IOException {
            CRC32 checksum = new CRC32();
            checksum.update(page.duplicate());
            int length = page.remaining();
            compressed.order(ByteOrder.LITTLE_ENDIAN).put(HEADER);
            deflater.reset();
            deflater.setInput(page);
            deflater.finish();
            deflater.deflate(compressed);
            if (!deflater.finished()) {
                throw new IOException("a gzip page exceeds its maximum compressed size");
            }
            compressed.putInt((int) checksum.getValue()).putInt(length).flip();
        }

        @Override
        public void release() {
            deflater.end();
            super.release();
        }
    }

    /** One buffer, reused for every page. */
    private static final class ReusableBuffer implements ByteBufferAllocator {

        private final NativeMemory memory;
        private ByteBuffer buffer;

        ReusableBuffer(NativeMemory memory) {
            this.memory = memory;
            this.buffer = memory.allocate(0);
        }

        @Override
        public ByteBuffer allocate(int size) {
            if (buffer.capacity() < size || buffer.capacity() > Math.max(size, MAX_RETAINED_BYTES)) {
                memory.release(buffer);
                buffer = memory.allocate(Math.max(size, Math.min(2 * buffer.capacity(), MAX_RETAINED_BYTES)));
            }
            return buffer.clear().limit(size);
        }

        @Override
        public void release(ByteBuffer allocated) {
            // The next allocation reuses the buffer.
        }

        @Override
        public boolean isDirect() {
            return true;
        }

        void free() {
            memory.release(buffer);
        }
    }
}
