"""The table of sessions: Parquet in partitions by day, one row for each session."""
from pyspark.sql import types as t
from pyspark.sql.functions import col

ERROR = t.StructType([
    t.StructField("source", t.StringType()), t.StructField("direction", t.StringType()), t.StructField("error", t.DoubleType()),
])
SCHEMA = t.StructType([
    t.StructField("session", t.StringType(), False),
    t.StructField("labels", t.MapType(t.StringType(), t.StringType())),
    # Why it could not be audited; null where it was.
    t.StructField("failure", t.StringType()),
    t.StructField("packets", t.LongType()),
    t.StructField("bytes", t.LongType()),
    t.StructField("exchanges", t.LongType()),
    t.StructField("wire_per_exchange", t.DoubleType()),
    t.StructField("trust", t.StringType()),
    t.StructField("missing_bytes", t.LongType()),
    t.StructField("errors", t.ArrayType(ERROR)),
    t.StructField("attempts", t.IntegerType()),
    t.StructField("seconds", t.DoubleType()),
    # Files of the groups that the session is in, its line as wireaudit.session/1, its sums as wireaudit.partial/1.
    t.StructField("files", t.ArrayType(t.StringType())),
    t.StructField("line", t.StringType()),
    t.StructField("part", t.BinaryType()),
    # The job that wrote it.
    t.StructField("run", t.StringType()),
    # Of the first packet by UTC; "unknown" of a session that failed or has no packet.
    t.StructField("day", t.StringType()),
])


def configured(builder):
    """Only the days that a job writes are replaced, and days are texts."""
    return builder.config("spark.sql.sources.partitionOverwriteMode", "dynamic").config(
        "spark.sql.sources.partitionColumnTypeInference.enabled", "false")


def replace_days(spark, rows, table):
    """Writes rows; a day's new files take the place of the old ones when every task is done, so that a task that ran twice
    counts once."""
    spark.createDataFrame(rows, SCHEMA, verifySchema=False).write.mode("overwrite").partitionBy("day").parquet(table)


def of_run(spark, table, run):
    """The rows that a job wrote. Days that are not in its list may hold those of others."""
    return spark.read.schema(SCHEMA).parquet(table).where(col("run") == run)
