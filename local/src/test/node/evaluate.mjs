// Creates a dataset with the langsmith client and evaluates two functions on it.
// Environment: LANGSMITH_ENDPOINT, LANGSMITH_API_KEY; argument: the dataset's name. Prints the responses as JSON.
import { Client } from "langsmith";
import { evaluate } from "langsmith/evaluation";

const name = process.argv[2];
const client = new Client();
const all = async (list) => {
  const found = [];
  for await (const one of list) found.push(one);
  return found;
};
const told = {};

const dataset = await client.createDataset(name, { description: "squares" });
await client.updateDataset({ datasetId: dataset.id, description: "squares of numbers" });
told.dataset = await client.readDataset({ datasetName: name });
told.hasDataset = [await client.hasDataset({ datasetName: name }), await client.hasDataset({ datasetName: `${name}-none` })];

const made = await client.createExamples(
  [1, 2, 3].map((q) => ({
    dataset_id: dataset.id,
    inputs: { q },
    outputs: { a: q * q },
    metadata: { odd: q % 2 === 1 },
    ...(q === 3 && { split: "test" }),
  })),
);
told.made = made;
const late = await client.createExample({ dataset_id: dataset.id, inputs: { q: 4 }, outputs: { a: 0 } });
await client.updateExample({ id: late.id, outputs: { a: 16 } });
const extra = await client.createExamples({ datasetName: name, inputs: [{ q: 5 }, { q: 6 }] });
await client.deleteExample(extra[0].id);
await client.deleteExamples([extra[1].id]);
told.examples = await all(client.listExamples({ datasetName: name }));
told.testExamples = (await all(client.listExamples({ datasetId: dataset.id, splits: ["test"] }))).map(({ inputs }) => inputs.q);

const correct = ({ outputs, referenceOutputs }) => ({ key: "correct", score: outputs?.a === referenceOutputs.a });
const distance = ({ outputs, referenceOutputs }) => ({
  key: "distance",
  score: Math.abs((outputs?.a ?? 0) - referenceOutputs.a),
  comment: "how far off",
});
const share = ({ outputs, referenceOutputs }) => ({
  key: "share",
  score: outputs.filter((output, i) => output?.a === referenceOutputs[i].a).length / outputs.length,
});
const experiment = async (prefix, target) => {
  const results = await evaluate(target, {
    client,
    data: name,
    evaluators: [correct, distance],
    summaryEvaluators: [share],
    experimentPrefix: prefix,
    metadata: { model: prefix },
    maxConcurrency: 2,
  });
  const project = await client.readProject({ projectName: results.experimentName, includeStats: true });
  return {
    project,
    rows: results.results.map(({ run, example, evaluationResults }) => ({
      run: run.id,
      example: example.id,
      scores: Object.fromEntries(evaluationResults.results.map(({ key, score }) => [key, score])),
    })),
    summary: results.summaryResults.results,
    runs: await Promise.all(results.results.map(({ run }) => client.readRun(run.id))),
    feedback: await all(client.listFeedback({ runIds: results.results.map(({ run }) => run.id) })),
  };
};
told.first = await experiment("first", async ({ q }) => ({ a: q * q }));
told.second = await experiment("second", async ({ q }) => {
  if (q === 4) throw new Error("too large a number");
  return { a: q === 3 ? 10 : q * q };
});

console.log(JSON.stringify(told));
