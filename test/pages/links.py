# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""links.py ROOT: every relative link of the pages leads to a file, and to a heading of it; every page is at most two links from README."""
import pathlib
import re
import sys

FOLDERS = ["", "cmake/", "compiler/", "include/tegula/", "samples/**/", "test/benchmark/"]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def text_of(page):
    """A page without its blocks of code and its inline code."""
    return re.sub(r"`[^`\n]*`", "``", re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL))


def anchors_of(page):
    """The anchors of a page's headings, as GitHub names them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def main(root):
    pages = {page for folder in FOLDERS for page in root.glob(folder + "*.md")}
    complaints, links = [], {page: set() for page in pages}
    for page in sorted(pages):
        for link in LINK.findall(text_of(page)):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if target.is_dir() and target / "README.md" in pages:
                target = target / "README.md"
            if not target.exists():
                complaints.append(f"{page.relative_to(root)}: no file {link}")
            elif anchor and target in pages and anchor not in anchors_of(target):
                complaints.append(f"{page.relative_to(root)}: no heading {link}")
            elif target in pages:
                links[page].add(target)
    near = {root / "README.md"}
    for _ in range(2):
        near |= {target for page in near for target in links[page]}
    complaints += [f"{page.relative_to(root)} is more than two links from README.md" for page in sorted(pages - near)]
    print(*complaints, f"{len(pages)} pages, {len(complaints)} complaints", sep="\n")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
