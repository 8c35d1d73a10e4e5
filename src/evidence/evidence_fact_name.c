/* evidence_fact_name - each fact with its unit and meaning; see evidence_fact_name.h. */
#include "config.h"

#include "evidence/evidence_fact_name.h"

#include <string.h>

const char *const evidence_unit_words[EVIDENCE_UNITS] = {
	[UNIT_NONE] = "",
	[UNIT_COUNT] = "count",
	[UNIT_NS] = "ns",
	[UNIT_NS_PER_S] = "ns/s",
	[UNIT_BYTES] = "bytes",
	[UNIT_BYTES_PER_S] = "bytes/s",
	[UNIT_PER_S] = "1/s",
	[UNIT_PERCENT] = "%",
	[UNIT_GB] = "GB",
	[UNIT_WATT] = "W",
	[UNIT_CELSIUS] = "C",
	[UNIT_EPOCH_S] = "s since 1970",
};

const struct evidence_fact_row evidence_fact_names[FACT_NAMES] = {
	[FACT_XLA_REPORTS] = {
		"xla.reports", UNIT_COUNT, FACT_TOTAL, false, NULL,
		"metric reports in the file" },
	[FACT_XLA_SEGMENTS] = {
		"xla.segments", UNIT_COUNT, FACT_TOTAL, false, NULL,
		"stretches of reports in which no counter falls" },
	[FACT_XLA_ORDINAL] = {
		"xla.ordinal", UNIT_NONE, FACT_ITEM, false, NULL,
		"ordinal of the process, from the name of the file" },
	[FACT_XLA_CALL] = {
		"xla.call", UNIT_COUNT, FACT_ITEM, true, NULL,
		"number of the sync call that wrote the report, from 0: no training step" },
	[FACT_XLA_SEGMENT] = {
		"xla.segment", UNIT_COUNT, FACT_ITEM, true, NULL,
		"segment that the report belongs to, from 0" },
	[FACT_XLA_SAMPLES] = {
		"xla.samples", UNIT_COUNT, FACT_ITEM, false, "metric",
		"samples since the start or the last reset" },
	[FACT_XLA_SAMPLES_INCREASE] = {
		"xla.samples.increase", UNIT_COUNT, FACT_ITEM, true, "metric",
		"samples since the report before" },
	[FACT_XLA_TIME] = {
		"xla.time", UNIT_NS, FACT_ITEM, false, "metric",
		"sum of the durations of all samples" },
	[FACT_XLA_DATA] = {
		"xla.data", UNIT_BYTES, FACT_ITEM, false, "metric",
		"sum of the sizes of all samples" },
	[FACT_XLA_VALUE] = {
		"xla.value", UNIT_NONE, FACT_ITEM, false, "metric",
		"sum of the values of all samples" },
	[FACT_XLA_TIME_RATE] = {
		"xla.time.rate", UNIT_NS_PER_S, FACT_ITEM, true, "metric",
		"duration per second of recent samples" },
	[FACT_XLA_DATA_RATE] = {
		"xla.data.rate", UNIT_BYTES_PER_S, FACT_ITEM, true, "metric",
		"bytes per second of recent samples" },
	[FACT_XLA_VALUE_RATE] = {
		"xla.value.rate", UNIT_PER_S, FACT_ITEM, true, "metric",
		"value per second of recent samples" },
	[FACT_XLA_RATE] = {
		"xla.rate", UNIT_PER_S, FACT_ITEM, true, "metric",
		"recent samples per second" },
	[FACT_XLA_TIME_PERCENTILE] = {
		"xla.time.percentile", UNIT_NS, FACT_ITEM, true, "metric and percentile",
		"duration of the latest 1024 samples" },
	[FACT_XLA_DATA_PERCENTILE] = {
		"xla.data.percentile", UNIT_BYTES, FACT_ITEM, true, "metric and percentile",
		"size of the latest 1024 samples" },
	[FACT_XLA_VALUE_PERCENTILE] = {
		"xla.value.percentile", UNIT_NONE, FACT_ITEM, true, "metric and percentile",
		"value of the latest 1024 samples" },
	[FACT_XLA_COUNTER] = {
		"xla.counter", UNIT_COUNT, FACT_ITEM, false, "counter",
		"count since the start or the last reset" },
	[FACT_XLA_COUNTER_INCREASE] = {
		"xla.counter.increase", UNIT_COUNT, FACT_ITEM, true, "counter",
		"count since the report before" },
	[FACT_XLA_COMPILATIONS] = {
		"xla.compilations", UNIT_COUNT, FACT_TOTAL, false, NULL,
		"compilation analysis blocks: a lower bound of compilations" },
	[FACT_XLA_EXECUTIONS] = {
		"xla.executions", UNIT_COUNT, FACT_TOTAL, false, NULL,
		"execution analysis blocks: a lower bound of executions" },
	[FACT_XLA_POST_COMPILATIONS] = {
		"xla.post_compilations", UNIT_COUNT, FACT_TOTAL, false, NULL,
		"post compilation analysis blocks" },
	[FACT_XLA_UNEXPECTED_EXECUTIONS] = {
		"xla.unexpected_executions", UNIT_COUNT, FACT_TOTAL, false, NULL,
		"blocks of an execution that was asserted not to happen" },
	[FACT_XLA_HOST_READS] = {
		"xla.host_reads", UNIT_COUNT, FACT_TOTAL, false, NULL,
		"blocks caused by a read of a tensor on the host" },
	[FACT_XLA_CAUSE] = {
		"xla.cause", UNIT_COUNT, FACT_TOTAL, false, "block and cause",
		"blocks with that cause; the text says whether it is an expected one" },
	[FACT_XLA_GRAPHS] = {
		"xla.graphs", UNIT_COUNT, FACT_TOTAL, false, NULL,
		"different graphs that were compiled" },
	[FACT_XLA_GRAPH] = {
		"xla.graph", UNIT_COUNT, FACT_TOTAL, true, "graph hash",
		"compilations of that graph" },
	[FACT_XLA_PLACE] = {
		"xla.place", UNIT_COUNT, FACT_TOTAL, false, "block and frame",
		"blocks whose first frame outside of installed packages is that one" },
	[FACT_XLA_BLOCK_CAUSE] = {
		"xla.block.cause", UNIT_NONE, FACT_ITEM, true, "block",
		"cause of one block" },
	[FACT_XLA_BLOCK_GRAPH] = {
		"xla.block.graph", UNIT_NONE, FACT_ITEM, true, "block",
		"graph hash of one block" },
	[FACT_XLA_BLOCK_NAME] = {
		"xla.block.name", UNIT_NONE, FACT_ITEM, true, "block",
		"graph name of one block" },
	[FACT_XLA_BLOCK_INPUTS] = {
		"xla.block.inputs", UNIT_COUNT, FACT_ITEM, true, "block",
		"graph inputs of one block" },
	[FACT_XLA_BLOCK_OUTPUTS] = {
		"xla.block.outputs", UNIT_COUNT, FACT_ITEM, true, "block",
		"graph outputs of one block" },
	[FACT_XLA_BLOCK_PLACE] = {
		"xla.block.place", UNIT_NONE, FACT_ITEM, true, "block",
		"first frame of one block outside of installed packages" },
	[FACT_XLA_SIZE] = {
		"xla.size", UNIT_GB, FACT_ITEM, true, "part of the program",
		"memory of one compiled graph; no number where it is unknown" },
	[FACT_XLA_COMPUTATION] = {
		"xla.computation", UNIT_NONE, FACT_ITEM, true, NULL,
		"hash of one compiled computation" },
	[FACT_PROFILER_COUNTS] = {
		"profiler.counts", UNIT_COUNT, FACT_TOTAL, false, "metric",
		"latest N of \"too frequent: N counts during M steps\"" },
	[FACT_PROFILER_STEPS] = {
		"profiler.steps", UNIT_COUNT, FACT_TOTAL, false, "metric",
		"latest M of \"too frequent: N counts during M steps\"" },
	[FACT_PROFILER_LONGEST] = {
		"profiler.longest", UNIT_NS, FACT_TOTAL, false, "metric",
		"longest instance of what was called too slow" },
	[FACT_PROFILER_NOT_LOWERED] = {
		"profiler.not_lowered", UNIT_NONE, FACT_ITEM, false, "operator",
		"operator that has no lowering and ran on the CPU" },
	[FACT_PROFILER_FRAMES] = {
		"profiler.frames", UNIT_COUNT, FACT_TOTAL, false, NULL,
		"frames in the summary at exit" },
	[FACT_PROFILER_UNLOWERED] = {
		"profiler.unlowered", UNIT_COUNT, FACT_ITEM, false, "operator",
		"times that an operator ran on the CPU from one place" },
	[FACT_PROFILER_PLACE] = {
		"profiler.place", UNIT_NONE, FACT_ITEM, false, "operator",
		"first frame outside of installed packages of an operator on the CPU" },
	[FACT_SLOW_COMPILE_ALARMS] = {
		"slow_compile.alarms", UNIT_COUNT, FACT_TOTAL, false, "module",
		"blocks of the slow-compile alarm: up to two a compile" },
	[FACT_SLOW_COMPILES] = {
		"slow_compile.compiles", UNIT_COUNT, FACT_TOTAL, false, "module",
		"slow compiles that so many blocks stand for" },
	[FACT_SLOW_COMPILE_TIME] = {
		"slow_compile.time", UNIT_NS, FACT_ITEM, false, "module",
		"how long a slow compile took" },
	[FACT_GRAPH_LIMIT] = {
		"graph_limit.limit", UNIT_COUNT, FACT_ITEM, false, NULL,
		"graphs that one function was allowed to have" },
	[FACT_GRAPH_LIMIT_GOT] = {
		"graph_limit.got", UNIT_NONE, FACT_ITEM, false, NULL,
		"shape that needed one more graph" },
	[FACT_GRAPH_LIMIT_EXPECTED] = {
		"graph_limit.expected", UNIT_NONE, FACT_ITEM, false, NULL,
		"shape that there was a graph for" },
	[FACT_RECOMPILE_LIMIT] = {
		"recompile_limit.limit", UNIT_COUNT, FACT_ITEM, false, NULL,
		"limit of recompilations that Dynamo hit" },
	[FACT_RECOMPILE_FUNCTION] = {
		"recompile_limit.function", UNIT_NONE, FACT_ITEM, false, NULL,
		"function that was recompiled" },
	[FACT_RECOMPILE_PLACE] = {
		"recompile_limit.place", UNIT_NONE, FACT_ITEM, false, NULL,
		"file and line of that function" },
	[FACT_RECOMPILE_REASON] = {
		"recompile_limit.reason", UNIT_NONE, FACT_ITEM, false, NULL,
		"last reason to recompile" },
	[FACT_DEVICE_DEFAULT] = {
		"device.default", UNIT_NONE, FACT_ITEM, false, NULL,
		"device that PJRT chose without being told" },
	[FACT_DEVICE_FALLBACK] = {
		"device.fallback", UNIT_NONE, FACT_ITEM, false, NULL,
		"line that says the run goes on without the accelerator" },
	[FACT_AUTOCAST_OFF] = {
		"autocast.off", UNIT_NONE, FACT_ITEM, false, NULL,
		"line that says autocast was asked for and is off" },
	[FACT_DEVICE_REAL] = {
		"device.real", UNIT_NONE, FACT_ITEM, false, "device",
		"real device behind an XLA device" },
	[FACT_DEVICE_PARAMETERS] = {
		"device.parameters", UNIT_NONE, FACT_ITEM, false, NULL,
		"device of a parameter of the model" },
	[FACT_DEVICE_BATCH] = {
		"device.batch", UNIT_NONE, FACT_ITEM, false, NULL,
		"device of a batch" },
	[FACT_TPU_SNAPSHOTS] = {
		"tpu.snapshots", UNIT_COUNT, FACT_TOTAL, false, NULL,
		"looks at the chips in the file" },
	[FACT_TPU_CHIPS] = {
		"tpu.chips", UNIT_COUNT, FACT_ITEM, false, NULL,
		"chips of the host, where there are none" },
	[FACT_TPU_LIBTPU] = {
		"tpu.libtpu", UNIT_NONE, FACT_ITEM, false, NULL,
		"version of libtpu" },
	[FACT_TPU_ACCELERATOR] = {
		"tpu.accelerator", UNIT_NONE, FACT_ITEM, false, NULL,
		"accelerator type of the host" },
	[FACT_TPU_INFO_VERSION] = {
		"tpu.info_version", UNIT_NONE, FACT_ITEM, false, NULL,
		"version of tpu-info" },
	[FACT_TPU_CHIP] = {
		"tpu.chip", UNIT_NONE, FACT_ITEM, false, "chip",
		"type of a chip" },
	[FACT_TPU_DEVICES] = {
		"tpu.devices", UNIT_COUNT, FACT_ITEM, false, "chip",
		"devices of a chip" },
	[FACT_TPU_HOLDER] = {
		"tpu.holder", UNIT_NONE, FACT_ITEM, false, "chip",
		"process that holds the chip; no number: nobody does" },
	[FACT_TPU_PROCESS] = {
		"tpu.process", UNIT_NONE, FACT_ITEM, false, "chip",
		"name of the process that holds the chip" },
	[FACT_TPU_HBM_USED] = {
		"tpu.hbm.used", UNIT_BYTES, FACT_ITEM, false, "chip",
		"memory of the chip in use" },
	[FACT_TPU_HBM_TOTAL] = {
		"tpu.hbm.total", UNIT_BYTES, FACT_ITEM, false, "chip",
		"memory of the chip" },
	[FACT_TPU_DUTY] = {
		"tpu.duty", UNIT_PERCENT, FACT_ITEM, false, "chip",
		"time in which the chip was busy" },
	[FACT_TPU_CORE_USE] = {
		"tpu.core_use", UNIT_PERCENT, FACT_ITEM, false, "core",
		"use of the TensorCore" },
	[FACT_TPU_CELL] = {
		"tpu.cell", UNIT_NONE, FACT_ITEM, true, "table, row and column",
		"a cell of another table" },
	[FACT_TPU_TIME] = {
		"tpu.time", UNIT_NONE, FACT_ITEM, true, NULL,
		"when the chips were looked at" },
	[FACT_TPU_WARNINGS] = {
		"tpu.warnings", UNIT_COUNT, FACT_TOTAL, false, NULL,
		"panels that warn of missing metrics" },
	[FACT_GPU_ROWS] = {
		"gpu.rows", UNIT_COUNT, FACT_TOTAL, false, NULL,
		"rows of values" },
	[FACT_GPU_TIME] = {
		"gpu.time", UNIT_NONE, FACT_ITEM, true, NULL,
		"when the row was taken" },
	[FACT_GPU_INTERVAL] = {
		"gpu.interval", UNIT_NS, FACT_SUMMARY, false, NULL,
		"time between rows of one device: first to last, by the number of steps" },
	[FACT_GPU_INDEX] = {
		"gpu.index", UNIT_NONE, FACT_ITEM, true, NULL,
		"number of the device in the host" },
	[FACT_GPU_MODEL] = {
		"gpu.model", UNIT_NONE, FACT_ITEM, true, NULL,
		"name of the device" },
	[FACT_GPU_USE] = {
		"gpu.use", UNIT_PERCENT, FACT_ITEM, true, "device",
		"time in which a kernel ran" },
	[FACT_GPU_MEMORY_USE] = {
		"gpu.memory_use", UNIT_PERCENT, FACT_ITEM, true, "device",
		"time in which memory was read or written" },
	[FACT_GPU_MEMORY_USED] = {
		"gpu.memory.used", UNIT_BYTES, FACT_ITEM, true, "device",
		"memory in use" },
	[FACT_GPU_MEMORY_TOTAL] = {
		"gpu.memory.total", UNIT_BYTES, FACT_ITEM, true, "device",
		"memory of the device" },
	[FACT_GPU_POWER] = {
		"gpu.power", UNIT_WATT, FACT_ITEM, true, "device",
		"power that it drew" },
	[FACT_GPU_TEMPERATURE] = {
		"gpu.temperature", UNIT_CELSIUS, FACT_ITEM, true, "device",
		"temperature" },
	[FACT_GPU_FAN] = {
		"gpu.fan", UNIT_PERCENT, FACT_ITEM, true, "device",
		"speed of the fan" },
	[FACT_GPU_CELL] = {
		"gpu.cell", UNIT_NONE, FACT_ITEM, true, "column",
		"a value of another column, or of one whose name is not known" },
	[FACT_GPU_USE_MEAN] = {
		"gpu.use.mean", UNIT_PERCENT, FACT_SUMMARY, false, "device",
		"mean of the known values" },
	[FACT_GPU_USE_MAX] = {
		"gpu.use.max", UNIT_PERCENT, FACT_TOTAL, false, "device",
		"highest known value" },
	[FACT_GPU_USE_VALUES] = {
		"gpu.use.values", UNIT_COUNT, FACT_TOTAL, false, "device",
		"rows with a known value" },
	[FACT_GPU_MEMORY_USED_MAX] = {
		"gpu.memory.used.max", UNIT_BYTES, FACT_TOTAL, false, "device",
		"most memory in use" },
	[FACT_TORCHTPU_REQUESTS] = {
		"torchtpu.requests", UNIT_COUNT, FACT_ITEM, false, NULL,
		"requests to the compilation cache" },
	[FACT_TORCHTPU_HITS] = {
		"torchtpu.hits", UNIT_COUNT, FACT_ITEM, false, NULL,
		"requests that found a program" },
	[FACT_TORCHTPU_MISSES] = {
		"torchtpu.misses", UNIT_COUNT, FACT_ITEM, false, NULL,
		"requests less hits: programs that had to be compiled" },
	[FACT_TORCHTPU_HIT_RATE] = {
		"torchtpu.hit_rate", UNIT_PERCENT, FACT_ITEM, false, NULL,
		"hits of all requests, as printed" },
	[FACT_TORCHTPU_READS] = {
		"torchtpu.reads", UNIT_COUNT, FACT_ITEM, true, "entry",
		"times that a program was used" },
	[FACT_TORCHTPU_COMPILE_TIME] = {
		"torchtpu.compile_time", UNIT_NS, FACT_ITEM, true, "entry",
		"how long its compilation took" },
	[FACT_TORCHTPU_LAST_READ] = {
		"torchtpu.last_read", UNIT_EPOCH_S, FACT_ITEM, true, "entry",
		"when it was used last" },
	[FACT_TORCHTPU_FALLBACK] = {
		"torchtpu.fallback", UNIT_COUNT, FACT_TOTAL, false, "operator",
		"times that an operator went to the CPU without an error" },
	[FACT_TORCHTPU_MISSING] = {
		"torchtpu.missing", UNIT_COUNT, FACT_TOTAL, false, "operator",
		"times that a missing operator raised" },
	[FACT_TORCHTPU_PROGRAM_BYTES] = {
		"torchtpu.program_bytes", UNIT_BYTES, FACT_ITEM, false, NULL,
		"memory of compiled programs: not of the model" },
	[FACT_TORCHTPU_PROGRAMS] = {
		"torchtpu.programs", UNIT_COUNT, FACT_ITEM, false, NULL,
		"compiled programs in that memory" },
	[FACT_TORCHTPU_BUSY] = {
		"torchtpu.busy", UNIT_NONE, FACT_ITEM, false, NULL,
		"device node that another process has open" },
	[FACT_TORCHTPU_HOLDER] = {
		"torchtpu.holder", UNIT_NONE, FACT_ITEM, false, NULL,
		"process that has it open: number and command" },
	[FACT_TORCHTPU_COMPILE_REFUSED] = {
		"torchtpu.compile_refused", UNIT_NONE, FACT_ITEM, false, NULL,
		"program that was needed after compilation was forbidden" },
	[FACT_TORCHTPU_UNSET] = {
		"torchtpu.unset", UNIT_NONE, FACT_ITEM, false, "variable",
		"variable that distributed training needs and that is not set" },
	[FACT_PACKAGES] = {
		"packages", UNIT_COUNT, FACT_TOTAL, false, NULL,
		"packages that the list names" },
	[FACT_PACKAGE_VERSION] = {
		"package.version", UNIT_NONE, FACT_ITEM, false, "package",
		"exact version" },
	[FACT_PACKAGE_REQUIRED] = {
		"package.required", UNIT_NONE, FACT_ITEM, false, "package",
		"versions that are allowed" },
	[FACT_PACKAGE_SOURCE] = {
		"package.source", UNIT_NONE, FACT_ITEM, false, "package",
		"where it comes from, without credentials" },
	[FACT_PACKAGE_EDITABLE] = {
		"package.editable", UNIT_NONE, FACT_ITEM, false, "package",
		"installed from a work tree: the version does not tell its code" },
	[FACT_PACKAGE_BUILD] = {
		"package.build", UNIT_NONE, FACT_ITEM, true, "package",
		"build of a conda package" },
	[FACT_PACKAGE_MARKER] = {
		"package.marker", UNIT_NONE, FACT_ITEM, true, "package",
		"where a requirement holds" },
	[FACT_PACKAGE_OPTION] = {
		"package.option", UNIT_NONE, FACT_ITEM, true, NULL,
		"option of pip in a requirements file" },
	[FACT_SETTING] = {
		"setting", UNIT_NONE, FACT_ITEM, false, "dotted name",
		"a value that the run was configured with" },
	[FACT_SETTINGS_LEFT_OUT] = {
		"settings.left_out", UNIT_COUNT, FACT_TOTAL, false, NULL,
		"lines or values that are beyond what is read" },
	[FACT_VARIABLE] = {
		"variable", UNIT_NONE, FACT_ITEM, false, "variable",
		"environment variable that decides how a run runs" },
	[FACT_VARIABLES_WITHHELD] = {
		"variables.withheld", UNIT_COUNT, FACT_TOTAL, false, NULL,
		"variables whose name or value looks like a secret" },
	[FACT_VARIABLES_OTHER] = {
		"variables.other", UNIT_COUNT, FACT_TOTAL, false, NULL,
		"variables that are not kept" },
};

enum evidence_fact_name evidence_fact_name_find(const char *text)
{
	int i;

	for (i = 0; i < FACT_NAMES; i++)
		if (strcmp(evidence_fact_names[i].text, text) == 0)
			break;
	return (enum evidence_fact_name)i;
}
