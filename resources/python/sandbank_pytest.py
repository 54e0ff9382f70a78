"""Sandbank for pytest: the fixture `world` gives each test a world of its own, with its own records, clock, keys and log.

This one file needs Python 3.9 or later, pytest and Node; no other package. In conftest.py:

    import sys
    sys.path.insert(0, "node_modules/sandbank/resources/python")
    pytest_plugins = ["sandbank_pytest"]

One sandbox is started for the test session, or SANDBANK_URL names a running one and SANDBANK_CONTROL_KEY its key. A failed test
prints its requests and what happened in its world, and keeps a bundle of it in the folder SANDBANK_FAILURES (sandbank-failures).
"""

import base64
import hashlib
import hmac
import http.client
import json
import os
import pathlib
import re
import shlex
import subprocess
import threading
import time
import urllib.parse
import uuid

START_TIMEOUT_S = 60
REQUEST_TIMEOUT_S = 60
MAX_LINES = 40
MAX_CUSTOMERS = 50


class SandboxError(Exception):
    """The sandbox could not be started or reached."""


class Refused(Exception):
    """A request or a control method was refused: its status, and the first error of the response."""

    def __init__(self, what, status, body):
        errors = body.get("errors") if isinstance(body, dict) else None
        first = errors[0] if errors else {}
        self.status = status
        self.body = body
        self.code = first.get("code")
        self.title = first.get("title")
        self.detail = first.get("detail")
        self.extra = first.get("extra")
        text = [str(part) for part in (self.code, self.title, self.detail, self.extra) if part]
        super().__init__(f"{what}: {status} {' - '.join(text)}".rstrip())


class Response:
    def __init__(self, status, headers, text):
        self.status = status
        self.headers = headers
        self.text = text

    def json(self):
        return json.loads(self.text) if self.text else None


class Connection:
    """One connection to the sandbox, opened again if it has been idle."""

    # Node closes an idle connection after 5 seconds; a request must not meet that moment.
    IDLE_S = 2

    def __init__(self, address):
        self._address = urllib.parse.urlsplit(address).netloc
        self._http = None
        self._used = 0.0

    def send(self, method, path, headers, body=None):
        if self._http is not None and time.monotonic() - self._used > self.IDLE_S:
            self.close()
        if self._http is None:
            self._http = http.client.HTTPConnection(self._address, timeout=REQUEST_TIMEOUT_S)
        try:
            self._http.request(method, path, body, headers)
            response = self._http.getresponse()
            text = response.read().decode()
        except BaseException:
            self.close()
            raise
        self._used = time.monotonic()
        return Response(response.status, response.headers, text)

    def close(self):
        if self._http is not None:
            self._http.close()
        self._http = None


class Control:
    """The control API of a world: `world.control("records.get", collection="customers", uid=uid)`."""

    def __init__(self, address, key):
        self.address = address
        self._path = urllib.parse.urlsplit(address).path
        self._key = key
        self._connection = Connection(address)

    def __call__(self, method, /, **given):
        __tracebackhide__ = True
        headers = {"x-control-key": self._key, "content-type": "application/json"}
        response = self._connection.send("POST", f"{self._path}/{method}", headers, json.dumps(given))
        if response.status != 200:
            raise Refused(method, response.status, _json_or_text(response))
        return response.json()

    def close(self):
        self._connection.close()


class Clock:
    def __init__(self, control):
        self._control = control

    @property
    def now(self):
        """The simulated time, such as 2026-11-23T15:00:00.000Z."""
        return self._control("clock.read")["now"]

    def advance(self, by):
        """Returns when everything that is due has happened. `by`: "8 business days", "24h", "PT24H", "monday 9:00", "next", "idle"."""
        return self._control("clock.advance", text=by)

    def advance_to(self, at):
        return self._control("clock.advance", to=at)


def sign_refresh_token(program_uid, hmac_key, now=None):
    """A JWS with HS512, the Authorization header of POST /auth."""

    def encode(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    claims = {"iat": int(time.time() if now is None else now), "sub": program_uid}
    text = ".".join(encode(json.dumps(part, separators=(",", ":")).encode()) for part in ({"alg": "HS512"}, claims))
    signature = hmac.new(hmac_key.encode(), text.encode(), hashlib.sha512).digest()
    return f"{text}.{encode(signature)}"


class World:
    """An isolated world of the sandbox: `api`, `gui`, `programs`, `clock`, `control`, and `call` for requests."""

    def __init__(self, created, key):
        self.name = created["name"]
        self.api = created["api"]
        self.gui = created["gui"]
        self.programs = created["programs"]
        self.control = Control(created["control"], key)
        self.clock = Clock(self.control)
        self._path = urllib.parse.urlsplit(self.api).path
        self._connection = Connection(self.api)
        self._tokens = {}

    def token(self, program=None):
        """An access token of a Program, by default the first one."""
        program = program or self.programs[0]
        uid = program["uid"]
        if uid not in self._tokens:
            response = self.request("POST", "/auth", token=sign_refresh_token(uid, program["hmac_key"]))
            if response.status >= 400:
                raise Refused("POST /auth", response.status, _json_or_text(response))
            self._tokens[uid] = response.json()["token"]
        return self._tokens[uid]

    def request(self, method, path, body=None, *, query=None, headers=None, token=None, program=None):
        """Sends a request with a token and a new trace id, and returns the response, whatever its status."""
        sent = {
            "authorization": token or self.token(program),
            "x-trace-id": str(uuid.uuid4()),
            **({} if body is None else {"content-type": "application/json"}),
            **(headers or {}),
        }
        if query:
            path += ("&" if "?" in path else "?") + urllib.parse.urlencode(query, doseq=True)
        return self._connection.send(method, self._path + path, sent, None if body is None else json.dumps(body))

    def call(self, method, path, body=None, **options):
        """As `request`, but returns the body, and raises `Refused` if the request is refused."""
        # Tracebacks of pytest end at the line of the test.
        __tracebackhide__ = True
        response = self.request(method, path, body, **options)
        if response.status >= 400:
            raise Refused(f"{method} {path}", response.status, _json_or_text(response))
        return response.json()

    def close(self):
        self._connection.close()
        self.control.close()


def _json_or_text(response):
    try:
        return response.json()
    except ValueError:
        return response.text


class Sandbox:
    """A running sandbox. `create_world` creates a world in it."""

    def __init__(self, control, key, process=None):
        self.control = Control(control, key)
        self._key = key
        self._process = process

    @classmethod
    def connect(cls, url, key):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme != "http" or not parts.netloc:
            raise SandboxError(f"SANDBANK_URL: found {url}, expected an address such as http://127.0.0.1:4010")
        if not key:
            raise SandboxError("SANDBANK_URL is set, SANDBANK_CONTROL_KEY is not: set it to the control key of that sandbox")
        sandbox = cls(f"http://{parts.netloc}/control", key)
        try:
            sandbox.control("worlds.list")
        except Refused as refused:
            raise SandboxError(f"the sandbox of SANDBANK_URL cannot be used: {refused}") from None
        except OSError as error:
            raise SandboxError(f"no sandbox answers at {url}: {error}") from None
        return sandbox

    @classmethod
    def start(cls, command=None):
        """Starts one, without a data folder, on a free port."""
        command = [*(command or find_command()), "serve", "--json", "--port", "0", "--ephemeral"]
        # Settings of another sandbox, such as SANDBANK_PORT, are not meant for this one.
        kept = ("SANDBANK_CONTROL_KEY", "SANDBANK_LOG_LENGTH")
        env = {name: value for name, value in os.environ.items() if name in kept or not name.startswith("SANDBANK_")}
        try:
            process = subprocess.Popen(
                command, env=env, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except OSError as error:
            raise SandboxError(f"{shlex.join(command)}: {error}") from None
        line = _read_line(process)
        try:
            address = json.loads(line)
        except ValueError:
            process.kill()
            words = (line + process.communicate()[1]).strip()
            raise SandboxError(f"{shlex.join(command)}: {words or 'it ended without a message'}") from None
        return cls(address["control"], address["control_key"], process)

    def create_world(self, **options):
        """`options`: the input of worlds.create. `from_` stands for `from`, which is a keyword."""
        given = {name.rstrip("_"): value for name, value in options.items()}
        return World(self.control("worlds.create", **given), self._key)

    def drop_world(self, world):
        world.close()
        self.control("worlds.drop", name=world.name)

    def close(self):
        """Ends the sandbox, if it was started here."""
        self.control.close()
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()


def _read_line(process):
    """The first line of stdout; "" if it does not come in time."""
    timer = threading.Timer(START_TIMEOUT_S, process.kill)
    timer.start()
    try:
        return process.stdout.readline()
    finally:
        timer.cancel()


def find_command():
    """SANDBANK_COMMAND, else the package that has this file, else the one that npx finds."""
    given = os.environ.get("SANDBANK_COMMAND")
    if given:
        return shlex.split(given)
    program = pathlib.Path(__file__).resolve().parents[2] / "out" / "main" / "cli.js"
    return ["node", str(program)] if program.is_file() else ["npx", "--no-install", "sandbank"]


def open_sandbox():
    """The sandbox of SANDBANK_URL, else a new one."""
    url = os.environ.get("SANDBANK_URL")
    return Sandbox.connect(url, os.environ.get("SANDBANK_CONTROL_KEY")) if url else Sandbox.start()


# ── The report of a failed test ──────────────────────────────────────────────────────────────────────────────────


def report_failure(world, title):
    """What happened in the world of a failed test, as text. Writes a bundle of it."""
    try:
        bundle = write_bundle(world, title)
        folder = bundle.removesuffix(".sandbank")
        lines = [
            *describe_world(world),
            f"While the sandbox runs: {world.gui}",
            f"Later: npx sandbank import {bundle} --data {folder} && npx sandbank serve --data {folder} --open",
        ]
    except (Refused, OSError, http.client.HTTPException) as error:
        lines = [f"the world could not be reported: {error}"]
    return "\n".join(_escape_controls(line) for line in lines)


def _escape_controls(line):
    """A terminal would obey control characters of a text, such as those that clear the screen."""
    escape = lambda found: f"\\u{ord(found[0]):04x}"
    return re.sub("[\\x00-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]", escape, line)


def describe_world(world):
    """The requests and the timeline."""
    listed = world.control("exchanges.list", limit=MAX_LINES)
    requests = list(reversed(listed["data"]))
    entries = read_timeline(world)
    return [
        f"Requests ({_last(len(requests), listed['total_count'])})",
        *(f"  {_short(one['at'])}  {one['method']} {one['path']} → {one['status'] or 'dropped'}  {one['did']}" for one in requests),
        f"Timeline ({_last(min(len(entries), MAX_LINES), len(entries))})",
        *(f"  {_short(entry['at'])}  {entry['text']}" for entry in entries[-MAX_LINES:]),
    ]


def _last(shown, total):
    return f"the last {shown} of {total}" if total > shown else str(total)


def _short(at):
    return re.sub(r"\.000Z$", "Z", at.replace("T", " "))


def read_timeline(world):
    """What happened to all Customers since the world was created, oldest first."""
    commits = world.control("world.commits", limit=1000)["commits"]
    created = [one["seq"] for one in commits if one["cause"].get("name") == "world.create"]
    since = created[0] if created else min((one["seq"] for one in commits), default=1) - 1
    found = {}
    for customer in world.control("records.list", collection="customers", limit=MAX_CUSTOMERS)["data"]:
        entries = world.control("records.story", uid=customer["uid"], limit=MAX_CUSTOMERS * 4)["entries"]
        for entry in reversed(entries):
            if entry["kind"] != "request" and entry["seq"] is not None and entry["seq"] > since:
                found[(entry["seq"], entry["uid"], entry["text"])] = entry
    return sorted(found.values(), key=lambda entry: entry["seq"])


def write_bundle(world, title):
    """Returns its path from the current folder."""
    folder = pathlib.Path(os.environ.get("SANDBANK_FAILURES") or "sandbank-failures")
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^a-z0-9]+", "-", title.lower())[:100].strip("-")
    file = folder / f"{name}.sandbank"
    file.write_text(world.control("bundles.export", note=f"The world of the failed test {title}")["text"], encoding="utf-8")
    return os.path.relpath(file)


# ── The fixtures ─────────────────────────────────────────────────────────────────────────────────────────────────

try:
    import pytest
except ImportError:
    # The classes above also work without pytest.
    pytest = None

if pytest is not None:

    def pytest_configure(config):
        config.addinivalue_line(
            "markers",
            "world(from_='demo', start=None, clock='frozen', pace='fast', seed='sandbank'): how the world of the test is created",
        )

    @pytest.fixture(scope="session")
    def sandbank():
        """The sandbox of the test session. If it cannot start, the session ends."""
        try:
            sandbox = open_sandbox()
        except SandboxError as error:
            pytest.exit(f"The sandbox for the tests did not start: {error}", returncode=3)
        yield sandbox
        sandbox.close()

    @pytest.fixture
    def world(request, sandbank):
        """A world of its own, frozen on Monday, 2026-11-23T15:00:00Z; the marker `world` has other settings."""
        marker = request.node.get_closest_marker("world")
        created = sandbank.create_world(**(marker.kwargs if marker else {}))
        yield created
        if getattr(request.node, "_sandbank_failed", False):
            # It stays, so that its address can be opened while the sandbox runs.
            created.close()
        else:
            sandbank.drop_world(created)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(item, call):
        outcome = yield
        report = outcome.get_result()
        world = getattr(item, "funcargs", {}).get("world")
        if report.failed and report.when in ("setup", "call") and isinstance(world, World):
            item._sandbank_failed = True
            report.sections.append((f"Sandbank: the world of {item.name}", report_failure(world, item.nodeid)))
