"""The image, and what holds for every file of deploy/."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.deploy.manifests import DEPLOY, ROOT, texts

DOCKERFILE = (DEPLOY / "Dockerfile").read_text()


def instructions(text: str) -> list[tuple[str, str]]:
    """Each instruction with its arguments, continued lines joined, comments left out."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [
        (name, rest)
        for name, _, rest in (line.partition(" ") for line in joined.splitlines() if line.strip())
    ]


def stages() -> list[list[tuple[str, str]]]:
    found: list[list[tuple[str, str]]] = []
    for name, rest in instructions(DOCKERFILE):
        if name == "FROM":
            found.append([])
        if found:
            found[-1].append((name, rest))
    return found


def last(name: str) -> str:
    """The arguments of the final stage's last instruction of this name."""
    return [rest for one, rest in stages()[-1] if one == name][-1]


def test_it_runs_as_a_fixed_user_who_is_not_root() -> None:
    user, group = last("USER").split(":")
    assert int(user) > 0
    assert int(group) > 0
    assert f"--uid {user}" in DOCKERFILE
    made = [n for n, (name, rest) in enumerate(stages()[-1]) if name == "RUN" and "useradd" in rest]
    switched = [n for n, (name, _) in enumerate(stages()[-1]) if name == "USER"]
    assert made < switched


def test_the_final_stage_builds_and_installs_nothing() -> None:
    run = " ".join(rest for name, rest in stages()[-1] if name == "RUN")
    assert not re.search(r"\b(pip|apt|apt-get|gcc|make|git|curl)\b", run)
    copied = [rest for name, rest in stages()[-1] if name in ("COPY", "ADD")]
    assert copied == ["--from=build /opt/stet /opt/stet"]


def test_one_image_serves_both_roles_and_keeps_its_data_on_a_volume() -> None:
    assert last("ENTRYPOINT") == '["stet"]'
    assert last("VOLUME") == last("WORKDIR") == "/var/lib/stet"


def test_what_is_copied_in_exists_and_is_let_in() -> None:
    let_in = {
        line[1:] for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines() if line[:1] == "!"
    }
    copied = {
        source
        for name, rest in stages()[0]
        if name == "COPY"
        for source in rest.split()[:-1]
        if not source.startswith("--")
    }
    assert copied == let_in
    assert all((ROOT / source).exists() for source in copied)


def test_the_version_is_the_project_s() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    for path in ("Dockerfile", "compose.yaml", "kubernetes/kustomization.yaml"):
        assert version in (DEPLOY / path).read_text(), path


def test_torch_is_found_among_what_the_project_needs() -> None:
    (pattern,) = re.findall(r"grep '([^']+)' requirements.txt", DOCKERFILE)
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert len([one for one in needed if re.match(pattern, one)]) == 1


@pytest.mark.parametrize(
    ("path", "text"), list(texts()), ids=lambda one: one.name if isinstance(one, Path) else ""
)
def test_no_image_floats(path: Path, text: str) -> None:
    images = re.findall(r"^\s*(?:image|newName):\s*(\S+)$|^FROM\s+(\S+)", text, re.MULTILINE)
    for image in (one or other for one, other in images):
        assert not image.endswith(":latest"), path
        kustomized = path.parts[0] == "kubernetes"  # kustomization.yaml gives the tag there
        assert kustomized or re.search(r":(v?\d|\$\{PYTHON\})", image), (path, image)
    assert re.search(r"ARG PYTHON=3\.11-\S+", DOCKERFILE)
