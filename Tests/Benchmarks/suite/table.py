"""Figures of the comparison as tables."""
import statistics

import running


def figures(truth, ours, peers, costs, notes, memory):
    """All figures of one capture: by program, and the ratios."""
    single, parallel = (costs[tool.name] for tool in ours)
    result = {"truth": truth, "programs": {}, "ratios": {}}
    for tool in ours + peers:
        runs = costs[tool.name]
        known = [run.peak for run in runs if run.peak] + [memory[tool.name] or 0]
        result["programs"][tool.name] = {
            "cpu": running.spread([run.cpu for run in runs]), "system": running.spread([run.system for run in runs]),
            "wall": running.spread([run.wall for run in runs]), "peak_kib": max(known), "answer": notes[tool.name],
            "does": tool.does, "ended": all(run.ended for run in runs),
        }
    ratios = result["ratios"]
    for tool in peers:
        runs = costs[tool.name]
        ratios[tool.name] = {"cpu": paired(runs, single, "cpu"), "wall": paired(runs, parallel, "wall"),
                             "one_thread_wall": paired(runs, single, "wall")}
    if "capinfos" in costs:
        ratios["to capinfos"] = paired(single, costs["capinfos"], "cpu")
        ratios["to capinfos, wall"] = paired(parallel, costs["capinfos"], "wall")
    ratios["jobs"] = paired(single, parallel, "wall")
    ratios["jobs, cpu"] = paired(parallel, single, "cpu")
    return result


def paired(above, below, what):
    """Ratios of the runs of the same rounds; against the median where one side ran once."""
    if len(above) == 1 or len(below) == 1:
        middle = [statistics.median(getattr(run, what) for run in side) for side in (above, below)]
        return running.spread([middle[0] / middle[1]])
    return running.spread([getattr(one, what) / getattr(two, what) for one, two in zip(above, below)])


def show(name, result):
    """One capture's table."""
    print(f"\n{name:18}  CPU s   wall s  peak MiB   CPU to ours, one thread    wall to ours, default  answers")
    for program, row in result["programs"].items():
        ratios = result["ratios"].get(program)
        more = "" if row["ended"] else ">"
        costs_in_words = f"{more:>1}{row['cpu']['median']:6.2f} {row['wall']['median']:8.2f} {mebibytes(row['peak_kib'])}"
        cells = [words(ratios and ratios[what], more) for what in ("cpu", "wall")]
        print(f"{program:18}{costs_in_words}   {cells[0]}   {cells[1]}   {row['answer']}")
    ratios = result["ratios"]
    if "to capinfos" in ratios:
        print(f"CPU of one thread to capinfos: {words(ratios['to capinfos']).strip()}")
    print(f"wall of one thread to the default: {words(ratios['jobs']).strip()}; CPU of the default to one thread: "
          f"{words(ratios['jobs, cpu']).strip()}\n", flush=True)


def mebibytes(kibibytes):
    return f"{kibibytes / 1024:8.0f}" if kibibytes else f"{'?':>8}"


def words(ratio, more=""):
    """Median, and in brackets the least and the most."""
    if not ratio:
        return " " * 24
    if ratio["runs"] == 1:
        return f"{more + short(ratio['median']):>7} (one run)       "[:24]
    text = f"{more + short(ratio['median']):>7} ({short(ratio['min'])}–{short(ratio['max'])})"
    return f"{text:24}"


def short(value):
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def summary(report):
    """The ratios of all captures as a table in Markdown."""
    found = report["captures"]
    programs = [name for name in report["versions"] if not name.startswith("wireaudit") and name != "capinfos"]
    lines = ["| capture | " + " | ".join(found) + " |", "|---" * (len(found) + 1) + "|"]

    def row(title, value):
        cells = [value(result) or "–" for result in found.values()]
        lines.append(f"| {title} | " + " | ".join(cells) + " |")

    row("packets", lambda result: f"{result['truth']['packets']:,}")
    row("exchanges", lambda result: f"{result['truth']['exchanges']:,}")
    row("CPU of one thread to capinfos", lambda result: cell(result["ratios"].get("to capinfos")))
    for name in programs:
        row(f"{name}, CPU", lambda result, name=name: cell(result["ratios"].get(name, {}).get("cpu"),
                                                          result["programs"].get(name)))
        row(f"{name}, wall", lambda result, name=name: cell(result["ratios"].get(name, {}).get("wall"),
                                                           result["programs"].get(name)))
    row("wall of one thread to the default", lambda result: cell(result["ratios"]["jobs"]))
    row("peak memory, one thread", lambda result: mebibytes(ours(result)[0]["peak_kib"]).strip() + " MiB")
    row("peak memory, default", lambda result: mebibytes(ours(result)[1]["peak_kib"]).strip() + " MiB")
    return "\n".join(lines)


def ours(result):
    return [row for name, row in result["programs"].items() if name.startswith("wireaudit")]


def cell(ratio, program=None):
    if not ratio:
        return ""
    more = "> " if program and not program["ended"] else ""
    if ratio["runs"] == 1:
        return more + short(ratio["median"])
    return f"{more}{short(ratio['median'])} ({short(ratio['min'])}–{short(ratio['max'])})"
