// Reads Parquet files with hyparquet. Arguments: a file with a JSON array of paths, and an output file that receives a line of JSON
// per row with values as text. Prints the number of rows and the columns of the first file.
import { createWriteStream, readFileSync } from "node:fs";
import { once } from "node:events";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";

const [list, output] = process.argv.slice(2);
const parsers = {
  // A Date would lose the microseconds.
  timestampFromMicroseconds: (micros) => {
    const fraction = String(((micros % 1000000n) + 1000000n) % 1000000n).padStart(6, "0");
    return new Date(Number(micros / 1000n)).toISOString().slice(0, 19) + "." + fraction + "Z";
  },
};

const text = (value) => {
  if (value === null || value === undefined) return null;
  return Array.isArray(value) ? JSON.stringify(value) : String(value);
};

const type = (element) => {
  const logical = element.logical_type;
  if (!logical) return element.num_children ? "GROUP" : element.type;
  return logical.type + (logical.type === "TIMESTAMP" ? `(${logical.unit},${logical.isAdjustedToUTC})` : "")
    + (logical.type === "DECIMAL" ? `(${logical.precision},${logical.scale})` : "");
};

const out = createWriteStream(output);
const columns = {};
let rows = 0;
for (const path of JSON.parse(readFileSync(list, "utf8"))) {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  if (rows === 0) {
    let skip = 0;
    for (const element of metadata.schema.slice(1)) {
      if (skip-- > 0) continue;
      columns[element.name] = type(element);
      skip = element.num_children ? 2 : 0;
    }
  }
  for (const row of await parquetReadObjects({ file, metadata, compressors, parsers })) {
    const values = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, text(value)]));
    if (!out.write(JSON.stringify({ ...values, filename: path }) + "\n")) await once(out, "drain");
    rows++;
  }
}
out.end();
await once(out, "finish");
console.log(JSON.stringify({ rows, columns }));
