// Prints how responses that the SDK for Python has got from two servers differ as JSON: compare-python.mjs OURS.json OTHER.json
import { readFileSync } from "node:fs";
import { differences, leaves } from "./differences.mjs";

const [ours, other] = process.argv.slice(2).map((file) => Object.fromEntries(
    Object.entries(JSON.parse(readFileSync(file, "utf8"))).map(([name, response]) => [name, leaves(response)])));
console.log(JSON.stringify(differences(Object.keys(ours), ours, other)));
