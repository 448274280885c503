package dev.waybill.client;

import java.util.List;
import java.util.UUID;

import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.api.experiment.ChangedExamplesResponse;
import dev.waybill.common.api.experiment.CompareExperimentsRequest;
import dev.waybill.common.api.experiment.ComparisonResponse;
import dev.waybill.common.api.experiment.CreateDatasetRequest;
import dev.waybill.common.api.experiment.CreateExampleRequest;
import dev.waybill.common.api.experiment.CreateFeedbackRequest;
import dev.waybill.common.api.experiment.DatasetResponse;
import dev.waybill.common.api.experiment.DeleteExamplesRequest;
import dev.waybill.common.api.experiment.ExampleResponse;
import dev.waybill.common.api.experiment.FeedbackResponse;
import dev.waybill.common.api.experiment.GateRequest;
import dev.waybill.common.api.experiment.GateResponse;
import dev.waybill.common.api.experiment.QueryExperimentRunsRequest;
import dev.waybill.common.api.experiment.QueryExperimentRunsV2Request;
import dev.waybill.common.api.experiment.UpdateDatasetRequest;
import dev.waybill.common.api.experiment.UpdateExampleRequest;
import dev.waybill.common.api.experiment.UpdateFeedbackRequest;
import dev.waybill.common.api.experiment.UploadExperimentRequest;
import dev.waybill.common.api.experiment.UploadExperimentResponse;
import dev.waybill.common.api.trace.IntakeResponse;
import dev.waybill.common.api.trace.ItemsResponse;

/** The experiments of the experiment service: datasets, examples, uploads, comparisons and feedback. */
@Path("/api")
@Produces("application/json")
public interface ExperimentClient {

    /** Lists datasets, newest first. */
    @GET
    @Path("/v1/datasets")
    List<DatasetResponse> listDatasets(@QueryParam("data_type") @Nullable String dataType,
            @QueryParam("id") @Nullable List<UUID> id, @QueryParam("limit") @Nullable Integer limit,
            @QueryParam("metadata") @Nullable String metadata, @QueryParam("name") @Nullable String name,
            @QueryParam("name_contains") @Nullable String nameContains, @QueryParam("offset") @Nullable Integer offset);

    /** Creates an ordinary dataset. */
    @POST
    @Path("/v1/datasets")
    DatasetResponse createDataset(CreateDatasetRequest request);

    /** Uploads an experiment that was run in another system. */
    @POST
    @Path("/v1/datasets/upload-experiment")
    UploadExperimentResponse uploadExperiment(UploadExperimentRequest request);

    /** Updates a dataset; null members stay unchanged. */
    @PATCH
    @Path("/v1/datasets/{dataset_id}")
    DatasetResponse updateDataset(@PathParam("dataset_id") UUID datasetId, UpdateDatasetRequest request);

    /** Reads a dataset. */
    @GET
    @Path("/v1/datasets/{dataset_id}")
    DatasetResponse getDataset(@PathParam("dataset_id") UUID datasetId);

    /** Deletes a dataset, its examples and its experiments. */
    @DELETE
    @Path("/v1/datasets/{dataset_id}")
    IntakeResponse deleteDataset(@PathParam("dataset_id") UUID datasetId);

    /** Compares experiments of a dataset. */
    @POST
    @Path("/v1/datasets/{dataset_id}/comparison")
    ComparisonResponse compareExperiments(@PathParam("dataset_id") UUID datasetId, CompareExperimentsRequest request);

    /** Compares experiments of a dataset and returns one line for each example. */
    @POST
    @Path("/v1/datasets/{dataset_id}/comparison")
    @Produces("text/csv")
    String compareExperimentsAsCsv(@PathParam("dataset_id") UUID datasetId, CompareExperimentsRequest request);

    /** Lists a dataset's examples, newest first. */
    @GET
    @Path("/v1/datasets/{dataset_id}/examples")
    List<ExampleResponse> listExamplesOfDataset(@PathParam("dataset_id") UUID datasetId,
            @QueryParam("limit") @Nullable Integer limit, @QueryParam("offset") @Nullable Integer offset);

    /** Evaluates whether experiments pass. */
    @POST
    @Path("/v1/datasets/{dataset_id}/gate")
    GateResponse gateExperiments(@PathParam("dataset_id") UUID datasetId, GateRequest request);

    /** Evaluates whether experiments pass and returns a report. */
    @POST
    @Path("/v1/datasets/{dataset_id}/gate")
    @Produces("text/markdown")
    String gateExperimentsAsMarkdown(@PathParam("dataset_id") UUID datasetId, GateRequest request);

    /** Lists the examples of a dataset with the runs of experiments on them. */
    @POST
    @Path("/v1/datasets/{dataset_id}/runs")
    List<JsonNode> listExperimentRuns(@PathParam("dataset_id") UUID datasetId, QueryExperimentRunsRequest request);

    /** Lists examples of a dataset or by id, newest first. */
    @GET
    @Path("/v1/examples")
    List<ExampleResponse> listExamples(@QueryParam("as_of") @Nullable String asOf,
            @QueryParam("dataset") @Nullable UUID dataset, @QueryParam("id") @Nullable List<UUID> id,
            @QueryParam("limit") @Nullable Integer limit, @QueryParam("metadata") @Nullable String metadata,
            @QueryParam("offset") @Nullable Integer offset, @QueryParam("splits") @Nullable List<String> splits);

    /** Deletes examples in one transaction; runs on them are not deleted. */
    @DELETE
    @Path("/v1/examples")
    IntakeResponse deleteExamples(@QueryParam("example_ids") List<UUID> exampleIds);

    /** Adds an example to an ordinary dataset. */
    @POST
    @Path("/v1/examples")
    ExampleResponse createExample(CreateExampleRequest request);

    /** Adds examples to ordinary datasets in one transaction. */
    @POST
    @Path("/v1/examples/bulk")
    ChangedExamplesResponse createExamples(List<CreateExampleRequest> examples);

    /** Updates an example; null members stay unchanged. */
    @PATCH
    @Path("/v1/examples/{example_id}")
    ExampleResponse updateExample(@PathParam("example_id") UUID exampleId, UpdateExampleRequest request);

    /** Reads an example as of a time; null: the latest. Only the latest version is stored, so an earlier one may be a 422. */
    @GET
    @Path("/v1/examples/{example_id}")
    ExampleResponse getExample(@PathParam("example_id") UUID exampleId, @QueryParam("as_of") @Nullable String asOf);

    /** Deletes an example; runs on it are not deleted. */
    @DELETE
    @Path("/v1/examples/{example_id}")
    IntakeResponse deleteExample(@PathParam("example_id") UUID exampleId);

    /** Lists feedback, newest first. */
    @GET
    @Path("/v1/feedback")
    List<FeedbackResponse> listFeedback(@QueryParam("key") @Nullable List<String> key,
            @QueryParam("level") @Nullable String level, @QueryParam("limit") @Nullable Integer limit,
            @QueryParam("offset") @Nullable Integer offset, @QueryParam("run") @Nullable List<UUID> run,
            @QueryParam("session") @Nullable List<UUID> session, @QueryParam("source") @Nullable List<String> source);

    /** Creates feedback on a run or a session. */
    @POST
    @Path("/v1/feedback")
    FeedbackResponse createFeedback(CreateFeedbackRequest request);

    /** Updates feedback: null removes a member, absent members stay unchanged. */
    @PATCH
    @Path("/v1/feedback/{feedback_id}")
    FeedbackResponse updateFeedback(@PathParam("feedback_id") UUID feedbackId, UpdateFeedbackRequest request);

    /** Reads feedback. */
    @GET
    @Path("/v1/feedback/{feedback_id}")
    FeedbackResponse getFeedback(@PathParam("feedback_id") UUID feedbackId);

    /** Deletes feedback. */
    @DELETE
    @Path("/v1/feedback/{feedback_id}")
    IntakeResponse deleteFeedback(@PathParam("feedback_id") UUID feedbackId);

    /** Deletes examples in one transaction; runs on them are not deleted. */
    @POST
    @Path("/v1/platform/datasets/examples/delete")
    IntakeResponse deleteExamplesByPost(DeleteExamplesRequest request);

    /** Updates examples of a dataset in one transaction; absent members stay unchanged. */
    @PATCH
    @Path("/v1/platform/datasets/{dataset_id}/examples")
    ChangedExamplesResponse updateExamplesMultipart(@PathParam("dataset_id") UUID datasetId, Multipart parts);

    /** Adds examples to an ordinary dataset in one transaction. */
    @POST
    @Path("/v1/platform/datasets/{dataset_id}/examples")
    ChangedExamplesResponse createExamplesMultipart(@PathParam("dataset_id") UUID datasetId, Multipart parts);

    /** Queries the examples of a dataset with the runs of experiments on them. */
    @POST
    @Path("/v2/datasets/{dataset_id}/experiment-runs")
    ItemsResponse queryExperimentRuns(@PathParam("dataset_id") UUID datasetId, QueryExperimentRunsV2Request request);
}
