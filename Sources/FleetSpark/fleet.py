"""A fleet of capture sessions on many machines: the report of `wireaudit fleet`, byte for byte, made by Spark.

usage: spark-submit fleet.py MANIFEST -o FOLDER [--table URI] [--program PATH] [options of wireaudit fleet]

The driver asks `wireaudit fleet --plan` how each session is audited. Executors run wireaudit once for each session, as
a process of its own, and write one row for each into the table (Parquet, by day): figures, exact sums, or why it failed.
Then `wireaudit merge` adds the sums up as a tree, and `wireaudit fleet --from` makes the report in FOLDER.

Captures, keys and logs must have the same paths on all machines, and so must the program and, unless it has a URI such
as s3a://…, the table. FOLDER is on the driver's machine. The table's partitions of the days in the list are replaced
when all sessions are done; other days stay."""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import uuid

from pyspark.sql import SparkSession

import wireaudit_merging
import wireaudit_sessions
import wireaudit_table

MODULES = (wireaudit_merging, wireaudit_sessions, wireaudit_table)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("manifest", help="list of sessions, as 'wireaudit fleet' reads it")
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER", help="folder for the report, on the driver")
    parser.add_argument("--table", metavar="URI", help="Parquet table of the sessions (default: FOLDER/sessions)")
    parser.add_argument("--program", default="wireaudit", help="the program, on all machines (default: in the path)")
    parser.add_argument("--sessions-per-task", type=int, default=64, metavar="N", help="what a lost executor costs (default 64)")
    parser.add_argument("--attempts", type=int, default=2, metavar="N", help="tries of a session that could not be read, or "
                        "whose process was killed (default 2)")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="time for one session (default: no limit)")
    parser.add_argument("--fan-in", type=int, default=32, metavar="N", help="parts of one merge (default 32)")
    known, options = parser.parse_known_args()
    if min(known.sessions_per_task, known.attempts) < 1 or known.fan_in < 2:
        parser.error("--sessions-per-task and --attempts must be at least 1, --fan-in at least 2")
    return known, options


def plan(program, manifest, options):
    """A line of JSON for each session. Paths are absolute, for executors work in other folders."""
    made = subprocess.run(
        [program, "fleet", "--plan", *options, manifest], stdout=subprocess.PIPE, check=False, encoding="utf-8")
    if made.returncode:
        sys.exit(made.returncode)
    return made.stdout.splitlines()


def main():
    known, options = arguments()
    manifest = os.path.abspath(known.manifest)
    lines = plan(known.program, manifest, options)
    table = known.table or "file://" + os.path.abspath(os.path.join(known.output, "sessions"))
    spark = wireaudit_table.configured(SparkSession.builder.appName("wireaudit fleet")).getOrCreate()
    for module in MODULES:
        spark.sparkContext.addPyFile(module.__file__)
    run = uuid.uuid4().hex
    settings = wireaudit_sessions.Settings(known.program, known.attempts, known.timeout, run)
    slices = -(-len(lines) // known.sessions_per_task)
    rows = spark.sparkContext.parallelize(lines, slices).mapPartitions(wireaudit_sessions.auditing(settings))
    wireaudit_table.replace_days(spark, rows, table)
    with tempfile.TemporaryDirectory() as folder:
        collect(wireaudit_table.of_run(spark, table, run), folder, known)
        spark.stop()
        report = subprocess.run(
            [known.program, "fleet", *options, "--from", folder, manifest, "-o", known.output], check=False)
    sys.exit(report.returncode)


def collect(rows, folder, known):
    """Brings the lines of the sessions and the merged sums to the driver, as `wireaudit fleet --from` reads them."""
    with open(os.path.join(folder, "sessions.ndjson"), "w", encoding="utf-8") as file:
        for row in rows.select("line").toLocalIterator():
            file.write(row.line + "\n")
    os.mkdir(os.path.join(folder, "groups"))
    audited = rows.where("failure IS NULL").select("files", "part").rdd
    pairs = audited.flatMap(lambda row: [(name, bytes(row.part)) for name in ["fleet.part", *row.files]])
    for name, part in wireaudit_merging.tree(pairs, known.program, known.fan_in).toLocalIterator():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(part)


if __name__ == "__main__":
    main()
