"""A check that cannot run is named in the summary of .ci/run, which gives the place of its list in WIREAUDIT_NOT_RUN."""
import os


def not_run(name, reason):
    line = f"not run: {name}: {reason}"
    print(line, flush=True)
    if path := os.environ.get("WIREAUDIT_NOT_RUN"):
        with open(path, "a", encoding="utf-8") as file:
            file.write(line + "\n")
