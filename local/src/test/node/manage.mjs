// Calls the langsmith client's methods for projects, runs and feedback.
// Environment: LANGSMITH_ENDPOINT, LANGSMITH_API_KEY; argument: a prefix of names. Prints JSON.
import { randomUUID } from "node:crypto";
import { Client } from "langsmith";

const prefix = process.argv[2];
const client = new Client();
const refusal = (call) => call.then(() => "none", (error) => ({ name: error.name, status: error.status }));
const all = async (list) => {
  const found = [];
  for await (const one of list) found.push(one);
  return found;
};
const told = {};

// Projects
const project = `${prefix}-project`;
const made = await client.createProject({ projectName: project, description: "first", metadata: { team: "a" } });
told.projectId = made.id;
told.again = await refusal(client.createProject({ projectName: project }));
told.upserted = (await client.createProject({ projectName: project, upsert: true })).id;
told.updated = await client.updateProject(made.id, { metadata: { team: "b" } });
told.byId = await client.readProject({ projectId: made.id });
told.byName = (await client.readProject({ projectName: project })).id;
told.has = [await client.hasProject({ projectName: project }), await client.hasProject({ projectName: `${prefix}-none` })];
await client.createProject({ projectName: `${prefix}-other` });
told.listed = (await all(client.listProjects({ nameContains: prefix }))).map(({ name }) => name).sort();

// Single runs
const single = randomUUID();
await client.createRun({ id: single, name: "single", run_type: "tool", inputs: { n: 1 }, project_name: project });
told.unfinished = await client.readRun(single);
await client.updateRun(single, { outputs: { n: 2 }, end_time: Date.now() });
told.finished = await client.readRun(single);

// Feedback: on a run, on a run that is created later, on a project
const early = randomUUID();
const onRun = await client.createFeedback(single, "correct", {
  score: true,
  value: { why: "2" },
  comment: "yes",
  feedbackConfig: { type: "continuous", min: 0, max: 1 },
  sourceInfo: { by: "a person" },
  sessionId: made.id,
});
const onEarly = await client.createFeedback(early, "correct", { score: false });
await client.createRun({ id: early, name: "early", run_type: "tool", inputs: {}, project_name: project, end_time: Date.now() });
const onProject = await client.createFeedback(null, "overall", { projectId: made.id, value: "fine" });
await client.updateFeedback(onRun.id, { score: 0.5, comment: "half" });
told.feedback = {
  read: await client.readFeedback(onRun.id),
  listed: (await all(client.listFeedback({ runIds: [single, early], feedbackKeys: ["correct"] }))).map(({ id }) => id).sort(),
  given: [onRun.id, onEarly.id].sort(),
  ofProject: await client.readFeedback(onProject.id),
};
const gone = await client.createFeedback(single, "mistake", { score: 1 });
await client.deleteFeedback(gone.id);
told.goneFeedback = await refusal(client.readFeedback(gone.id));
told.statistics = await client.readProject({ projectName: project, includeStats: true });

// Deletion, including the experiments of a dataset
await client.deleteProject({ projectName: `${prefix}-other` });
told.hasOther = await client.hasProject({ projectName: `${prefix}-other` });
const dataset = await client.createDataset(`${prefix}-dataset`);
const experiment = await client.createProject({ projectName: `${prefix}-experiment`, referenceDatasetId: dataset.id });
told.experiment = { number: experiment.test_run_number, dataset: experiment.reference_dataset_id === dataset.id };
told.ofDataset = (await all(client.listProjects({ referenceDatasetName: `${prefix}-dataset` }))).map(({ name }) => name);
await client.deleteDataset({ datasetName: `${prefix}-dataset` });
told.afterDataset = [
  await client.hasDataset({ datasetName: `${prefix}-dataset` }),
  await client.hasProject({ projectName: `${prefix}-experiment` }),
];

console.log(JSON.stringify(told));
