"""Every page of docs/ can be reached from README.md, and no link of the documentation leads nowhere."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def links(page):
    """Relative targets of a page's links and pictures."""
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    return [target.split("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text) if not target.startswith(("http", "#", "mailto"))]


def pages():
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "prehend").glob("*/README.md")),
            ROOT / "data/README.md"]


def test_links_lead_somewhere():
    broken = [f"{page.relative_to(ROOT)}: {target}" for page in pages() for target in links(page) if not (page.parent / target).exists()]
    assert not broken, "\n".join(broken)


def test_every_page_is_listed():
    listed = {(page.parent / target).resolve() for page in (ROOT / "README.md", ROOT / "docs/README.md") for target in links(page)}
    missing = [page.name for page in (ROOT / "docs").glob("*.md") if page.resolve() not in listed and page.name != "README.md"]
    assert not missing, f"docs/README.md does not list {missing}"
    assert (ROOT / "docs/README.md").resolve() in listed


def test_every_folder_of_data_is_described():
    text = (ROOT / "data/README.md").read_text()
    missing = [folder.name for folder in (ROOT / "data").iterdir() if folder.is_dir() and f"`{folder.name}/`" not in text and folder.name != "__pycache__"]
    assert not missing, missing
