"""The Kubernetes resources: valid by the schemas, safe, and consistent with each other."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from tests.deploy.manifests import KUBERNETES, documents, resource, resources

OLDEST, NEWEST = "1.29", "1.33"
WORKER, SERVICE = resource("StatefulSet", "stet-worker"), resource("Deployment", "stet-service")


def named(one: dict[str, Any]) -> str:
    return f"{one['kind']}-{one['metadata']['name']}"


def pod(one: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = one["spec"]["template"]["spec"]
    return found


def container(one: dict[str, Any]) -> dict[str, Any]:
    (found,) = pod(one)["containers"]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("version", [OLDEST, NEWEST])
@pytest.mark.parametrize("one", resources(), ids=named)
def test_the_schema_of_kubernetes_admits_it(one: dict[str, Any], version: str) -> None:
    kubernetes_validate.validate(one, version, strict=True)


def test_the_schema_check_finds_a_misspelt_field() -> None:
    wrong = {**SERVICE, "spec": {**SERVICE["spec"], "replica": 2}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, NEWEST, strict=True)


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not on the PATH")
def test_kustomize_puts_all_of_it_into_one_namespace() -> None:
    told = subprocess.run(["kubectl", "kustomize", KUBERNETES], capture_output=True, text=True, check=True)
    built = list(yaml.safe_load_all(told.stdout))
    (kustomization,) = documents(KUBERNETES / "kustomization.yaml")
    listed = [one for name in kustomization["resources"] for one in documents(KUBERNETES / name)]
    assert sorted(map(named, built)) == sorted(map(named, listed))
    for one in built:
        assert one["kind"] == "Namespace" or one["metadata"]["namespace"] == "stet"
    images = {container(one)["image"] for one in built if one["kind"] in ("StatefulSet", "Deployment")}
    assert images == {"registry.example/stet:0.1.0"}


def test_what_the_kustomization_leaves_out_is_the_secret_and_what_is_optional() -> None:
    (kustomization,) = documents(KUBERNETES / "kustomization.yaml")
    there = {path.name for path in KUBERNETES.glob("*.yaml")}
    assert set(kustomization["resources"]) <= there
    left_out = there - set(kustomization["resources"]) - {"kustomization.yaml"}
    assert left_out == {"secret.example.yaml", "autoscaler.yaml"}


@pytest.mark.parametrize("one", [WORKER, SERVICE], ids=named)
def test_a_pod_has_no_rights_that_it_does_not_need(one: dict[str, Any]) -> None:
    whole, inner = pod(one)["securityContext"], container(one)["securityContext"]
    assert whole["runAsNonRoot"] is True
    assert whole["runAsUser"] == 10001
    assert whole["seccompProfile"] == {"type": "RuntimeDefault"}
    assert inner["readOnlyRootFilesystem"] is True
    assert inner["allowPrivilegeEscalation"] is False
    assert inner["capabilities"] == {"drop": ["ALL"]}
    assert pod(one)["automountServiceAccountToken"] is False
    assert pod(one)["enableServiceLinks"] is False


@pytest.mark.parametrize("one", [WORKER, SERVICE], ids=named)
def test_probes_ask_a_port_that_the_container_has(one: dict[str, Any]) -> None:
    ports = {port["name"] for port in container(one)["ports"]}
    for probe, path in (("startup", "/healthz"), ("liveness", "/healthz"), ("readiness", "/readyz")):
        asked = container(one)[f"{probe}Probe"]["httpGet"]
        assert asked["path"] == path
        assert asked["port"] in ports
    assert {"cpu", "memory"} <= container(one)["resources"]["requests"].keys()
    assert "memory" in container(one)["resources"]["limits"]


@pytest.mark.parametrize("one", [WORKER, SERVICE], ids=named)
def test_mounts_variables_and_volumes_refer_to_what_exists(one: dict[str, Any]) -> None:
    volumes = {volume["name"]: volume for volume in pod(one)["volumes"]}
    assert {mount["name"] for mount in container(one)["volumeMounts"]} == volumes.keys()
    for volume in volumes.values():
        if "persistentVolumeClaim" in volume:
            resource("PersistentVolumeClaim", volume["persistentVolumeClaim"]["claimName"])
    for source in container(one)["envFrom"]:
        kind, reference = next(iter(source.items()))
        resource({"configMapRef": "ConfigMap", "secretRef": "Secret"}[kind], reference["name"])


def test_selectors_find_the_pods_that_they_mean() -> None:
    pods = {named(one): one["spec"]["template"]["metadata"]["labels"] for one in (WORKER, SERVICE)}
    for one in (WORKER, SERVICE):
        assert one["spec"]["selector"]["matchLabels"] == pods[named(one)]
    assert resource("Service", "stet-worker")["spec"]["selector"] == pods[named(WORKER)]
    assert resource("Service", "stet")["spec"]["selector"] == pods[named(SERVICE)]
    for name, whose in (("stet-worker", WORKER), ("stet-service", SERVICE)):
        budget, policy = resource("PodDisruptionBudget", name), resource("NetworkPolicy", name)
        assert budget["spec"]["selector"]["matchLabels"] == pods[named(whose)]
        assert policy["spec"]["podSelector"]["matchLabels"] == pods[named(whose)]


@pytest.mark.parametrize(("service", "whose"), [("stet-worker", WORKER), ("stet", SERVICE)])
def test_services_and_policies_name_ports_of_their_pods(service: str, whose: dict[str, Any]) -> None:
    ports = {port["name"]: port["containerPort"] for port in container(whose)["ports"]}
    for port in resource("Service", service)["spec"]["ports"]:
        assert port["targetPort"] in ports
    for rule in resource("NetworkPolicy", named(whose).split("-", 1)[1])["spec"]["ingress"]:
        assert {port["port"] for port in rule["ports"]} <= ports.keys()


def test_the_workers_share_one_recovery_store_and_have_time_to_drain() -> None:
    (claim,) = [one for one in resources() if one["kind"] == "PersistentVolumeClaim"]
    assert claim["spec"]["accessModes"] == ["ReadWriteMany"]
    assert pod(WORKER)["terminationGracePeriodSeconds"] >= 60
    assert WORKER["spec"]["podManagementPolicy"] == "Parallel"
    assert WORKER["spec"]["updateStrategy"]["type"] == "OnDelete"


def test_the_number_of_workers_is_the_same_in_both_places() -> None:
    (workers,) = [one["value"] for one in container(WORKER)["env"] if one["name"] == "WORKERS"]
    assert int(workers) == WORKER["spec"]["replicas"]
    governing = resource("Service", WORKER["spec"]["serviceName"])["spec"]
    assert governing["clusterIP"] == "None"
    assert governing["publishNotReadyAddresses"] is True


class Pod:
    """Runs the worker's start script where `stet` prints how it was called and `hostname` is the pod's."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._program("stet", 'echo "$@"')
        self._program("hostname", 'echo "$HOSTNAME.stet-worker.stet.svc.cluster.local"')

    def _program(self, name: str, body: str) -> None:
        path = self._folder / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def start(self, number: int, workers: int) -> subprocess.CompletedProcess[str]:
        environment = {
            "PATH": f"{self._folder}:{os.environ['PATH']}",
            "HOSTNAME": f"stet-worker-{number}",
            "WORKERS": str(workers),
        }
        command = [*container(WORKER)["command"], *container(WORKER)["args"]]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_a_worker_takes_its_number_from_its_name_and_finds_the_others(tmp_path: Path) -> None:
    started = Pod(tmp_path).start(1, 3).stdout.split()
    options = dict(zip(started[1::2], started[2::2], strict=True))
    assert started[0] == "worker"
    assert options["--process-id"] == "1"
    addresses = [f"stet-worker-{n}.stet-worker.stet.svc.cluster.local:2101" for n in range(3)]
    assert options["--addresses"] == ",".join(addresses)
    assert options["--recovery-partitions"] == "16"
    mounts = [mount["mountPath"] for mount in container(WORKER)["volumeMounts"]]
    assert any(options["--recovery-dir"].startswith(f"{mount}/") for mount in mounts)
    ports = {port["name"]: port["containerPort"] for port in container(WORKER)["ports"]}
    assert options["--health-host"] == "0.0.0.0"
    assert (options["--health-port"], addresses[0].rsplit(":")[-1]) == (
        str(ports["health"]),
        str(ports["peers"]),
    )


def test_a_worker_with_a_number_past_the_last_says_what_to_do(tmp_path: Path) -> None:
    refused = Pod(tmp_path).start(2, 2)
    assert refused.returncode == 2
    assert "set WORKERS to replicas" in refused.stderr
    assert refused.stdout == ""
