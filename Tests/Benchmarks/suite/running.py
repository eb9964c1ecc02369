"""Runs programs and tells what they cost: processor time, wall time, peak memory."""
import os
import resource
import signal
import statistics
import subprocess
import threading
import time


class Cost:
    """What one run cost. `ended` is False when it was stopped at its limit; the figures are then lower bounds."""

    def __init__(self, cpu, system, wall, peak, ended, status):
        self.cpu, self.system, self.wall, self.peak, self.ended, self.status = cpu, system, wall, peak, ended, status


def run(command, limit, output=None, folder=None, watch_memory=False):
    """Runs a command to its end, or for `limit` seconds. Processor time is that of all its processes (wait4)."""
    target = os.open(output or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=target, stderr=subprocess.DEVNULL,
                                   cwd=folder, start_new_session=True)
    finally:
        os.close(target)
    stopped = threading.Event()
    timer = threading.Timer(limit, lambda: (stopped.set(), end_group(process.pid)))
    timer.daemon = True
    timer.start()
    watch = MemoryWatch(process.pid) if watch_memory else None
    try:
        _, status, usage = os.wait4(process.pid, 0)
    except BaseException:
        end_group(process.pid)
        process.wait()
        raise
    finally:
        timer.cancel()
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_stime, wall, peak(usage.ru_maxrss, watch),
                not stopped.is_set(), process.returncode)


def end_group(pid):
    """Ends a process that was started as the leader of a group, and its children."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def peak(reported, watch):
    """Peak memory in KiB of the largest process. The kernel counts what this script held when it forked, so a smaller
    figure is known from watching only, and None without."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    watched = watch.end() if watch else 0
    return reported if reported > own else watched or None


class MemoryWatch:
    """Looks at the high-water mark of a process and its children every two milliseconds."""

    def __init__(self, pid):
        self.pid, self.most, self.over = pid, 0, threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def watch(self):
        own = os.readlink("/proc/self/exe")
        while not self.over.is_set():
            for pid in [self.pid] + children(self.pid):
                try:
                    # Before exec it is still a copy of this script.
                    if os.readlink(f"/proc/{pid}/exe") == own:
                        continue
                    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
                        for line in file:
                            if line.startswith("VmHWM:"):
                                self.most = max(self.most, int(line.split()[1]))
                except OSError:
                    pass
            self.over.wait(0.002)

    def end(self):
        self.over.set()
        self.thread.join()
        return self.most


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def spread(values):
    """Median, least and most of figures."""
    return {"median": statistics.median(values), "min": min(values), "max": max(values), "runs": len(values)}


def number(text):
    """A count from words like 300k, 1G (1000 each)."""
    factors = {"k": 10**3, "M": 10**6, "G": 10**9}
    return int(float(text[:-1]) * factors[text[-1]]) if text[-1] in factors else int(text)
