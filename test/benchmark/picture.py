# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws README's picture, results.svg, from the table "Picture" of RESULTS.md: picture.py [OUTPUT]"""
import html
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROW, LABELS, BAR, MOST = 34, 560, 300, 1.5  # pixels; MOST: the ratio that fills a bar


def rows():
    """[(kernel, peer, ratio)]"""
    table = (HERE / "RESULTS.md").read_text().split("\n## Picture\n")[1].split("\n\n")[1]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in table.split("\n")[2:] if row]
    return [(kernel, peer, float(ratio)) for kernel, peer, ratio in cells]


def drawn():
    table = rows()
    height, width = ROW * len(table) + 36, LABELS + BAR + 10
    one = LABELS + BAR / MOST
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
             'font-family="sans-serif" font-size="13">',
             "<style>text{fill:#333}.peer{fill:#777;font-size:11px}.bar{fill:#3b7dd8}.value{fill:#fff}.one{stroke:#999;stroke-dasharray:3 3}"
             "@media(prefers-color-scheme:dark){text{fill:#ddd}.peer{fill:#aaa}.value{fill:#fff}}</style>"]
    for i, (kernel, peer, ratio) in enumerate(table):
        y = 24 + i * ROW
        lines += [f'<text x="{LABELS - 10}" y="{y + 11}" text-anchor="end">{html.escape(kernel)}</text>',
                  f'<text class="peer" x="{LABELS - 10}" y="{y + 24}" text-anchor="end">against {html.escape(peer)}</text>',
                  f'<rect class="bar" x="{LABELS}" y="{y}" width="{BAR * min(ratio, MOST) / MOST:.1f}" height="22"/>',
                  f'<text class="value" x="{LABELS + BAR * min(ratio, MOST) / MOST - 6:.1f}" y="{y + 16}" text-anchor="end">{ratio:.2f}</text>']
    lines += [f'<line class="one" x1="{one:.1f}" y1="14" x2="{one:.1f}" y2="{height - 10}"/>',
              f'<text class="peer" x="{one:.1f}" y="11" text-anchor="middle">speed of the peer</text>', "</svg>", ""]
    return "\n".join(lines)


pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else HERE / "results.svg").write_text(drawn())
