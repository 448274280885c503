// Reads and discards every value of Parquet files. Arguments: hyparquet or polars, and a file with a JSON array of paths.
// Prints the number of rows and the CPU seconds of this process without the warm-up.
import { readFileSync } from "node:fs";

const [reader, list] = process.argv.slice(2);
const paths = JSON.parse(readFileSync(list, "utf8"));

const hyparquet = async () => {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetRead } = await import("hyparquet");
  const { compressors } = await import("hyparquet-compressors");
  return async (path) => {
    const file = await asyncBufferFromFile(path);
    const metadata = await parquetMetadataAsync(file);
    let rows = 0;
    // One row group at a time, by column: the rows of a day as objects would exceed the memory.
    for (const group of metadata.row_groups) {
      const rowEnd = rows + Number(group.num_rows);
      await parquetRead({ file, metadata, compressors, rowStart: rows, rowEnd, onChunk: () => {} });
      rows = rowEnd;
    }
    return rows;
  };
};

const polars = async () => {
  const { default: pl } = await import("nodejs-polars");
  return async (path) => pl.readParquet(path).height;
};

const read = await { hyparquet, polars }[reader]();
let rows = 0;
let seconds = 0;
for (const isWarm of [false, true]) {
  const before = process.cpuUsage();
  rows = 0;
  for (const path of paths) rows += await read(path);
  const used = process.cpuUsage(before);
  if (isWarm) seconds = (used.user + used.system) / 1e6;
}
console.log(JSON.stringify({ rows, seconds }));
