"""Alerts and dashboard: Prometheus takes them, and they ask for metrics that exist."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import yaml
from prometheus_client import CollectorRegistry
from prometheus_client.metrics import MetricWrapperBase

from pipeline.metrics import Metrics
from query_service.http_app import Service, create_app
from state.hashing_encoder import HashingEncoder
from tests.deploy.manifests import DEPLOY, documents, resource

PROMETHEUS = DEPLOY / "prometheus"
GROUPS = documents(PROMETHEUS / "alerts.yaml")[0]["groups"]
ALERTS = {rule["alert"]: rule for group in GROUPS for rule in group["rules"]}
DASHBOARD = json.loads((DEPLOY / "grafana" / "dashboard.json").read_text())
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]

SUFFIXES = {"counter": ["_total"], "gauge": [""], "histogram": ["_bucket", "_sum", "_count"]}

with_promtool = pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not on the PATH")


def promtool(*arguments: str) -> None:
    told = subprocess.run(
        ["promtool", *arguments], cwd=PROMETHEUS, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stdout + told.stderr


def queries() -> Iterator[tuple[str, str]]:
    """Everything that Prometheus is asked, with who asks."""
    for name, rule in ALERTS.items():
        yield name, rule["expr"]
    for panel in PANELS:
        for target in panel["targets"]:
            yield panel["title"], target["expr"]


ASKED = list(queries())


@pytest.fixture(scope="module")
def exported() -> dict[str, set[str]]:
    """The series that worker and service export, by name, each with its labels."""
    registry = CollectorRegistry()
    Metrics(registry)
    stores = SimpleNamespace(
        registry=registry, reader=None, notes=None, encoder=HashingEncoder(8), accept=None
    )
    create_app(cast(Service, stores))
    found: dict[str, set[str]] = {}
    for metric in registry._collector_to_names:  # `collect` tells no labels of what was not counted yet
        assert isinstance(metric, MetricWrapperBase)
        for family in metric.describe():
            for suffix in SUFFIXES[family.type]:
                found[family.name + suffix] = {*metric._labelnames, *(["le"] if suffix == "_bucket" else [])}
    return found


@with_promtool
def test_prometheus_takes_the_rules_and_its_configuration() -> None:
    promtool("check", "rules", "alerts.yaml")
    promtool("check", "config", "prometheus.yaml")


@with_promtool
def test_prometheus_can_read_every_query_of_the_dashboard(tmp_path: Path) -> None:
    rules = [
        {"record": f"panel:{n}", "expr": expression.replace("$__rate_interval", "5m")}
        for n, (_, expression) in enumerate(ASKED)
    ]
    (tmp_path / "rules.yaml").write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": rules}]}))
    promtool("check", "rules", str(tmp_path / "rules.yaml"))


@with_promtool
def test_each_alert_fires_where_it_should_and_is_silent_where_it_should() -> None:
    promtool("test", "rules", "alerts_test.yaml")


def test_each_alert_has_a_case_in_which_it_fires_and_one_in_which_it_does_not() -> None:
    (tests,) = documents(PROMETHEUS / "alerts_test.yaml")
    cases = [case for test in tests["tests"] for case in test["alert_rule_test"]]
    assert {case["alertname"] for case in cases if case.get("exp_alerts")} == ALERTS.keys()
    silent = {case["alertname"] for case in cases if not case.get("exp_alerts")}
    # Where one of several series is meant, what the case leaves out of `exp_alerts` must be silent.
    assert silent >= ALERTS.keys() - {"StetModelFailing", "StetQueueWaits", "StetStoreRetries"}


@pytest.mark.parametrize(("who", "expression"), ASKED, ids=[who for who, _ in ASKED])
def test_what_is_asked_for_is_exported_with_those_labels(
    who: str, expression: str, exported: dict[str, set[str]]
) -> None:
    names = set(re.findall(r"\bstet_\w+", expression))
    assert names <= exported.keys()
    known = {"job", "instance"}.union(*(exported[name] for name in names))
    for wanted in re.findall(r"by \(([^)]*)\)", expression):
        assert set(wanted.replace(" ", "").split(",")) <= known, who
    for selected in re.findall(r"[{,]\s*(\w+)\s*[=!]~?", expression):
        assert selected in known, who


def test_every_metric_is_on_the_dashboard(exported: dict[str, set[str]]) -> None:
    shown = " ".join(expression for _, expression in ASKED)
    bases = {re.sub(r"_(total|bucket|count|sum)$", "", name) for name in exported}
    assert [base for base in sorted(bases) if base not in shown] == []


def test_each_alert_says_how_bad_it_is_and_has_its_section_in_the_guide() -> None:
    sections = re.findall(r"^### (Stet\w+)$", (DEPLOY / "README.md").read_text(), re.MULTILINE)
    assert sorted(sections) == sorted(ALERTS)
    for name, rule in ALERTS.items():
        assert rule["labels"]["severity"] in ("warning", "critical"), name
        assert {"summary", "description"} <= rule["annotations"].keys(), name


def test_panels_have_ids_of_their_own_and_do_not_overlap() -> None:
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(set(ids)) == len(ids)
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        at = panel["gridPos"]
        assert at["x"] + at["w"] <= 24, panel["title"]
        cells = {(at["x"] + x, at["y"] + y) for x in range(at["w"]) for y in range(at["h"])}
        assert not cells & taken, panel["title"]
        taken |= cells


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: str(panel["title"]))
def test_a_panel_says_what_it_shows_and_in_which_unit(panel: dict[str, Any]) -> None:
    assert panel["description"].endswith(".")
    unit = panel["fieldConfig"]["defaults"].get("unit") or panel["options"]["yAxis"]["unit"]
    assert unit
    assert all(target["datasource"]["uid"] == "${datasource}" for target in panel["targets"])


def test_the_alerts_name_jobs_that_both_scrape_configurations_have() -> None:
    asked = {job for _, expression in ASKED for job in re.findall(r'job="([^"]+)"', expression)}
    for path in ("prometheus.yaml", "scrape_kubernetes.yaml"):
        (configuration,) = documents(PROMETHEUS / path)
        assert {job["job_name"] for job in configuration["scrape_configs"]} == asked, path


@pytest.mark.parametrize(
    ("job", "kind", "name"),
    [("stet-worker", "StatefulSet", "stet-worker"), ("stet-service", "Deployment", "stet-service")],
)
def test_in_kubernetes_prometheus_finds_the_pods_by_their_labels_and_ports(
    job: str, kind: str, name: str
) -> None:
    (configuration,) = documents(PROMETHEUS / "scrape_kubernetes.yaml")
    (found,) = [one for one in configuration["scrape_configs"] if one["job_name"] == job]
    kept = {rule["source_labels"][0]: rule["regex"] for rule in found["relabel_configs"] if "action" in rule}
    template = resource(kind, name)["spec"]["template"]
    component = template["metadata"]["labels"]["app.kubernetes.io/component"]
    assert kept["__meta_kubernetes_pod_label_app_kubernetes_io_component"] == component
    ports = {port["name"] for port in template["spec"]["containers"][0]["ports"]}
    assert kept["__meta_kubernetes_pod_container_port_name"] in ports


def test_grafana_is_provisioned_with_the_data_source_and_the_folder_of_the_dashboard() -> None:
    provisioning = DEPLOY / "grafana" / "provisioning"
    (sources,) = documents(provisioning / "datasources" / "prometheus.yaml")
    (dashboards,) = documents(provisioning / "dashboards" / "stet.yaml")
    (stack,) = documents(DEPLOY / "compose.yaml")
    assert [source["url"] for source in sources["datasources"]] == ["http://prometheus:9090"]
    (folder,) = [provider["options"]["path"] for provider in dashboards["providers"]]
    mounts = dict(mount.split(":")[:2] for mount in stack["services"]["grafana"]["volumes"])
    assert mounts["./grafana/dashboard.json"].startswith(f"{folder}/")
