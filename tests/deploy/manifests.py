"""Reads what lies in deploy/."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
KUBERNETES = DEPLOY / "kubernetes"


def documents(path: Path) -> list[dict[str, Any]]:
    """The YAML documents of a file."""
    return [found for found in yaml.safe_load_all(path.read_text()) if found is not None]


def resources() -> list[dict[str, Any]]:
    """Every Kubernetes resource, the optional ones included."""
    files = sorted(KUBERNETES.glob("*.yaml"))
    return [found for path in files for found in documents(path) if found["kind"] != "Kustomization"]


def resource(kind: str, name: str) -> dict[str, Any]:
    (found,) = [one for one in resources() if (one["kind"], one["metadata"]["name"]) == (kind, name)]
    return found


def texts() -> Iterator[tuple[Path, str]]:
    """Every file of deploy/ with its text."""
    for path in sorted(DEPLOY.rglob("*")):
        if path.is_file():
            yield path.relative_to(DEPLOY), path.read_text()
