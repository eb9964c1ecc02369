"""Draws lines on two logarithmic axes as SVG: panels beside each other, one legend above them.

The picture has a background of its own, so that it can be read on light and dark pages; it follows the reader's scheme
where that is known."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 960, 460
MARGIN = {"left": 74, "right": 26, "top": 112, "bottom": 66}
BETWEEN = 92

STYLE = """
  .card { fill: #ffffff; stroke: #d0d7de; }
  text { fill: #1f2328; font: 13px system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
  .title { font-size: 15px; font-weight: 600; }
  .quiet { fill: #59636e; font-size: 12px; }
  .grid { stroke: #d8dee4; stroke-width: 1; }
  .axis { stroke: #8c959f; stroke-width: 1; }
  .line { fill: none; stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round; }
  .spread { stroke-width: 1.5; opacity: 0.75; }
  .one { stroke: #0969da; } .one.dot { fill: #0969da; }
  .two { stroke: #bc4c00; } .two.dot { fill: #bc4c00; }
  .three { stroke: #1a7f37; } .three.dot { fill: #1a7f37; }
  .dot { stroke: #ffffff; stroke-width: 1.5; }
  @media (prefers-color-scheme: dark) {
    .card { fill: #0d1117; stroke: #30363d; }
    text { fill: #e6edf3; }
    .quiet { fill: #9198a1; }
    .grid { stroke: #21262d; }
    .axis { stroke: #6e7681; }
    .one { stroke: #4493f8; } .one.dot { fill: #4493f8; }
    .two { stroke: #f0883e; } .two.dot { fill: #f0883e; }
    .three { stroke: #3fb950; } .three.dot { fill: #3fb950; }
    .dot { stroke: #0d1117; }
  }
"""
CLASSES = ["one", "two", "three"]


class Panel:
    """`lines`: for each series its points (x, y, least y, most y), in the order of the legend."""

    def __init__(self, title, below, lines, y_range, y_label):
        self.title, self.below, self.lines, self.y_range, self.y_label = title, below, lines, y_range, y_label


def draw(legend, panels, x_range, x_title):
    """The picture as text. Ranges are powers of ten."""
    width = (WIDTH - MARGIN["left"] - MARGIN["right"] - BETWEEN * (len(panels) - 1)) / len(panels)
    title = escape(", ".join(panel.title for panel in panels))
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
             f'height="{HEIGHT}" role="img" aria-label="{title}">', f"<style>{STYLE}</style>",
             f'<rect class="card" x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="8"/>']
    parts += draw_legend(legend)
    for index, panel in enumerate(panels):
        left = MARGIN["left"] + index * (width + BETWEEN)
        parts += draw_panel(panel, Area(left, MARGIN["top"], width, HEIGHT - MARGIN["top"] - MARGIN["bottom"], x_range,
                                        panel.y_range), x_title)
    return "\n".join(parts + ["</svg>", ""])


class Area:
    """A rectangle, and where a point lies in it."""

    def __init__(self, left, top, width, height, x_range, y_range):
        self.left, self.top, self.width, self.height = left, top, width, height
        self.x_range, self.y_range = x_range, y_range

    def x(self, value):
        low, high = self.x_range
        return self.left + (math.log10(value) - low) / (high - low) * self.width

    def y(self, value):
        low, high = (math.log10(end) for end in self.y_range)
        return self.top + self.height - (math.log10(value) - low) / (high - low) * self.height


def draw_legend(legend):
    parts, x = [], MARGIN["left"]
    for name, kind in zip(legend, CLASSES):
        parts.append(f'<line class="line {kind}" x1="{x}" y1="34" x2="{x + 26}" y2="34"/>')
        parts.append(f'<circle class="dot {kind}" cx="{x + 13}" cy="34" r="4.5"/>')
        parts.append(f'<text x="{x + 34}" y="38.5">{escape(name)}</text>')
        x += 62 + 6.6 * len(name)
    return parts


def draw_panel(panel, area, x_title):
    bottom, right = area.top + area.height, area.left + area.width
    parts = [f'<text class="title" x="{area.left:.1f}" y="{area.top - 36}">{escape(panel.title)}</text>',
             f'<text class="quiet" x="{area.left:.1f}" y="{area.top - 18}">{escape(panel.below)}</text>']
    for power in range(area.x_range[0], area.x_range[1] + 1):
        x = area.x(10 ** power)
        parts.append(f'<line class="grid" x1="{x:.1f}" y1="{area.top}" x2="{x:.1f}" y2="{bottom}"/>')
        parts.append(f'<text class="quiet" x="{x:.1f}" y="{bottom + 20}" text-anchor="middle">10'
                     f'<tspan dy="-5" font-size="9">{power}</tspan></text>')
    for value in ticks(panel.y_range):
        y = area.y(value)
        parts.append(f'<line class="grid" x1="{area.left:.1f}" y1="{y:.1f}" x2="{right:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="quiet" x="{area.left - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">'
                     f'{escape(panel.y_label(value))}</text>')
    parts.append(f'<line class="axis" x1="{area.left:.1f}" y1="{bottom}" x2="{right:.1f}" y2="{bottom}"/>')
    parts.append(f'<text class="quiet" x="{area.left + area.width / 2:.1f}" y="{bottom + 44}" text-anchor="middle">'
                 f'{escape(x_title)}</text>')
    for points, kind in zip(panel.lines, CLASSES):
        parts += draw_line(points, kind, area)
    return parts


def draw_line(points, kind, area):
    parts = []
    for x, _, least, most in points:
        if most > least:
            parts.append(f'<line class="spread {kind}" x1="{area.x(x):.1f}" y1="{area.y(least):.1f}" '
                         f'x2="{area.x(x):.1f}" y2="{area.y(most):.1f}"/>')
    path = " ".join(f"{area.x(x):.1f},{area.y(y):.1f}" for x, y, _, _ in points)
    parts.append(f'<polyline class="line {kind}" points="{path}"/>')
    return parts + [f'<circle class="dot {kind}" cx="{area.x(x):.1f}" cy="{area.y(y):.1f}" r="4.5"/>'
                    for x, y, _, _ in points]


def ticks(y_range):
    """1, 2 and 5 times powers of ten inside of a range; only powers in a long one."""
    low, high = y_range
    steps = (1, 2, 5) if high / low <= 200 else (1,)
    values = [step * 10 ** power for power in range(-3, 12) for step in steps]
    return [value for value in values if low * 0.999 <= value <= high * 1.001]


def around(values):
    """A range for values, wider on both sides, from and to 1, 2 or 5 times a power of ten."""
    marks = [step * 10 ** power for power in range(-3, 12) for step in (1, 2, 5)]
    low = max(mark for mark in marks if mark <= min(values) / 1.3)
    high = min(mark for mark in marks if mark >= max(values) * 1.3)
    return low, high
