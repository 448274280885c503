// Reads Parquet files with Polars. Arguments: a file with a JSON array of paths, and an output file that receives a line of JSON
// per row with values as text. Prints the number of rows and the columns of the first file.
import { createWriteStream, readFileSync } from "node:fs";
import { once } from "node:events";
import pl from "nodejs-polars";

const [list, output] = process.argv.slice(2);

// Uses Polars' text form where JavaScript's numbers and dates would lose digits.
const text = (name, type) => {
  const column = pl.col(name);
  if (type.startsWith("Datetime")) return column.date.strftime("%Y-%m-%dT%H:%M:%S%.6fZ").alias(name);
  return type.startsWith("List") || type === "Float64" ? column : column.cast(pl.Utf8).alias(name);
};

const typeName = (type) => type.variant === "List"
  ? `List(${typeName(type.inner[0])})`
  : String(type).slice("DataType(".length, -1);

const plain = (value) => {
  if (value === null || value === undefined) return null;
  return Array.isArray(value) ? JSON.stringify(value) : String(value);
};

const out = createWriteStream(output);
let columns = {};
let rows = 0;
for (const path of JSON.parse(readFileSync(list, "utf8"))) {
  const frame = pl.readParquet(path);
  const types = Object.fromEntries(frame.columns.map((name) => [name, typeName(frame.getColumn(name).dtype)]));
  if (rows === 0) columns = types;
  for (const row of frame.select(...frame.columns.map((name) => text(name, types[name]))).toRecords()) {
    const values = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)]));
    if (!out.write(JSON.stringify({ ...values, filename: path }) + "\n")) await once(out, "drain");
    rows++;
  }
}
out.end();
await once(out, "finish");
console.log(JSON.stringify({ rows, columns }));
